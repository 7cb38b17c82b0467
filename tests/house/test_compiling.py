"""Kernels are interpreted for little work, compiled for much, and kept wherever they can be."""

import ast
import importlib.util
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from ensue import caches, compiling
from ensue.caches import CacheFolder, cache_folder
from ensue.compiling import MODE, MODULES, Kernel, KernelMode, all_kernels, kernel_store
from ensue.progress import TALK

SOURCE = Path(compiling.__file__).parent
FEW, MANY = np.arange(10), np.arange(3_000_000)
MODULE = """
import numpy as np
from ensue.compiling import compiled, inlined

@inlined
def square(number):
    return number * number

@compiled
def one(values, at):
    return square(values[at])

@compiled
def total(values):
    found = 0
    for i in range(values.size):
        found += one(values, i)
    return found
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty cache, and decisions by work that begin with nothing interpreted yet."""
    monkeypatch.setenv(caches.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv(MODE, KernelMode.BY_WORK)
    monkeypatch.setattr(compiling, "_all", compiling._Interpreted())
    monkeypatch.setattr(compiling, "_said", [])
    return tmp_path / "cache"


@pytest.fixture
def new_kernel(tmp_path):
    """The kernel `total` of a module as a process finds it that has not run it yet."""

    def made(text=MODULE):
        path = tmp_path / "some_kernels.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location("some_kernels", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.total

    return made


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """No folder can be written; permissions would not keep a superuser out."""
    (tmp_path / "file").touch()
    for name in (caches.VARIABLE, "XDG_CACHE_HOME", "HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path / "file" / name))
    monkeypatch.setattr(caches.tempfile, "tempdir", str(tmp_path / "file"))


def run_python(code, **environment):
    """Run a program with a cache of its own; what it wrote to the two streams."""
    inherited = {key: each for key, each in os.environ.items() if key not in (MODE, TALK)}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=True,
    )


# Interpreted or compiled.


def test_little_work_is_interpreted(place, new_kernel):
    kernel = new_kernel()
    assert kernel(FEW) == sum(each * each for each in range(10))
    assert not kernel.is_compiled
    assert not place.exists()


def test_much_work_is_compiled_and_kept(place, new_kernel):
    kernel = new_kernel()
    assert kernel(MANY) == int((MANY * MANY).sum())
    assert kernel.is_compiled
    assert kernel_store().names() == ["some_kernels.total"]
    assert list(place.rglob("*.nbc"))


def test_little_work_that_comes_often_is_compiled(place, new_kernel):
    kernel = new_kernel()
    kernel(FEW)
    compiling._all.seconds, kernel._interpreted.seconds = 2.0, 0.2
    assert kernel(FEW) == 285
    assert kernel.is_compiled


def test_kernel_that_is_kept_is_loaded_for_less_work(place, new_kernel, capsys, monkeypatch):
    new_kernel()(MANY)
    monkeypatch.setenv(TALK, "1")
    later = new_kernel()
    assert later(MANY[:100_000]) == int((MANY[:100_000] ** 2).sum())
    assert later.is_compiled
    assert sum(later.dispatcher.stats.cache_hits.values()) == 1
    assert capsys.readouterr().err == ""


def test_kernel_that_cannot_be_kept_is_interpreted_for_longer(place, nowhere, new_kernel):
    kernel = new_kernel()
    few = MANY[:200_000]
    compiling._all.seconds = 5.0
    assert kernel(few) == int((few * few).sum())
    assert not kernel.is_compiled


def test_kernel_that_cannot_be_kept_is_compiled_for_very_much(place, nowhere, new_kernel):
    kernel = new_kernel()
    compiling._all.seconds, kernel._interpreted.seconds = 20.0, 5.0
    assert kernel(FEW) == 285
    assert kernel.is_compiled


def test_environment_says_how_kernels_are_run(place, new_kernel, monkeypatch):
    monkeypatch.setenv(MODE, KernelMode.INTERPRETED)
    kernel = new_kernel()
    assert kernel(MANY[:1000]) == int((MANY[:1000] ** 2).sum())
    compiling._all.seconds = kernel._interpreted.seconds = 99.0
    kernel(FEW)
    assert not kernel.is_compiled
    monkeypatch.setenv(MODE, KernelMode.COMPILED)
    kernel(FEW)
    assert kernel.is_compiled


def test_results_are_of_the_types_that_numba_returns(place, new_kernel):
    found = new_kernel()(FEW)
    assert type(found) is int


def test_sizes_of_tables_are_no_work():
    def look_up(table, asked):
        return table[asked[0]]

    kernel = Kernel(look_up, ("asked",), inline=False)
    assert kernel._n_elements([MANY, FEW]) < 20


# What is said.


def test_compilation_is_said_once_on_standard_error(place, new_kernel, capsys, monkeypatch):
    monkeypatch.setenv(TALK, "1")
    new_kernel()(MANY)
    new_kernel(MODULE.replace("found = 0", "found = 1"))(MANY)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        f"compiling kernels, which takes some 10 to 40 s; kept in {place / 'kernels'}"
    ]


def test_compilation_is_not_said_by_a_library(place, new_kernel, capsys):
    new_kernel()(MANY)
    assert capsys.readouterr().err == ""


def test_quiet_commands_do_not_say_it(monkeypatch):
    from click.testing import CliRunner

    from ensue.cli.options import quiet_option

    seen = []
    import click

    @click.command()
    @quiet_option
    def command(quiet):
        seen.append((quiet, os.environ.get(TALK)))

    monkeypatch.setenv(TALK, "1")
    CliRunner().invoke(command, ["-q"], catch_exceptions=False)
    monkeypatch.setenv(TALK, "1")
    CliRunner().invoke(command, [], catch_exceptions=False)
    assert seen == [(True, None), (False, "1")]


# The first verdict.

EXPLAIN = """
import sys
from ensue.cli.app import run
code = run(["explain", "A dog barks loudly at night", "An animal barks"])
print("numba" in sys.modules, code)
"""


def test_first_verdict_does_not_wait_for_a_compiler(tmp_path):
    first = run_python(EXPLAIN, ENSUE_CACHE=str(tmp_path))
    assert first.stdout.splitlines()[-1] == "False 0"
    assert first.stderr == ""


def test_first_verdict_is_there_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").touch()
    place = str(tmp_path / "file" / "home")
    found = run_python(EXPLAIN, ENSUE_CACHE=place, HOME=place, XDG_CACHE_HOME=place, TMPDIR=place)
    assert found.stdout.splitlines()[-1] == "False 0"


# Several at once.


def test_threads_compile_a_kernel_once(place, new_kernel, monkeypatch):
    kernel, compile_, n_compiled = new_kernel(), compiling._compile, []

    def counted(*arguments):
        n_compiled.append(threading.get_ident())
        compile_(*arguments)

    monkeypatch.setattr(compiling, "_compile", counted)
    found = []
    threads = [threading.Thread(target=lambda: found.append(kernel(MANY))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [int((MANY * MANY).sum())] * 6
    assert len(n_compiled) == 1


FORK = """
import os, sys, threading
sys.path.insert(0, {folder!r})
import numpy as np
from ensue import compiling
from some_kernels import total
begun, compile_ = threading.Event(), compiling._compile
def slow(*arguments):
    begun.set()
    compile_(*arguments)
compiling._compile = slow
values = np.arange(3_000_000)
threading.Thread(target=total, args=(values,)).start()
begun.wait()
child = os.fork()
if child == 0:
    os._exit(0 if total(values) == int((values * values).sum()) else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_process_forks_while_a_thread_compiles(tmp_path, new_kernel):
    new_kernel()
    found = run_python(FORK.format(folder=str(tmp_path)), ENSUE_CACHE=str(tmp_path / "cache"))
    assert found.stdout == "0\n"


AT_ONCE = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np
from some_kernels import total
print(total(np.arange(3_000_000)))
"""


def test_processes_compile_into_one_cache(tmp_path, new_kernel):
    new_kernel()
    environment = {
        **{key: each for key, each in os.environ.items() if key != MODE},
        caches.VARIABLE: str(tmp_path / "cache"),
        TALK: "one command",
    }
    code = AT_ONCE.format(folder=str(tmp_path))
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    ended = [each.communicate() for each in started]
    assert [out for out, _ in ended] == [f"{int((MANY * MANY).sum())}\n"] * 3
    assert "".join(err for _, err in ended).count("compiling kernels") == 1


# Where they are kept.


def test_kernels_that_are_damaged_are_compiled_again(place, new_kernel):
    new_kernel()(MANY)
    for file in place.rglob("*.nb[ci]"):
        file.write_bytes(b"\x80")
    later = new_kernel()
    assert later(MANY) == int((MANY * MANY).sum())
    assert new_kernel()(MANY) == int((MANY * MANY).sum())


def test_a_change_in_any_module_with_kernels_is_another_folder(tmp_path, monkeypatch):
    for module in MODULES:
        path = tmp_path / f"{module.removeprefix('ensue.').replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("one")
    monkeypatch.setattr(compiling, "_PACKAGE", tmp_path)
    key = compiling._version_key.__wrapped__
    before = key()
    assert key() == before
    (tmp_path / "surface" / "interning.py").write_text("two")
    changed = key()
    assert changed != before
    monkeypatch.setattr(compiling, "version", lambda package: f"{package} 99")
    assert key() not in (before, changed)


def test_folders_of_other_versions_go_when_they_were_not_used_for_long(place):
    old, recent = place / "kernels" / "old", place / "kernels" / "recent"
    for folder in (old, recent):
        folder.mkdir(parents=True)
        (folder / "some.nbi").touch()
    months_ago = time.time() - 90 * 24 * 3600
    os.utime(old, (months_ago, months_ago))
    assert kernel_store().path.parent == place / "kernels"
    assert not old.exists()
    assert recent.exists()


def test_cache_is_the_first_folder_that_can_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv(caches.VARIABLE, str(tmp_path / "named"))
    assert cache_folder() == CacheFolder(tmp_path / "named", "ENSUE_CACHE names it")
    refused = tmp_path / "file" / "named"
    monkeypatch.setenv(caches.VARIABLE, str(refused))
    found = cache_folder()
    assert found.path == tmp_path / "caches" / "ensue"
    assert found.why == f"the user's folder of caches; {refused} cannot be written"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(caches.tempfile, "tempdir", str(tmp_path))
    found = cache_folder()
    assert found.path == tmp_path / f"ensue-{os.getuid()}"
    assert found.path.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("kind", ["open", "link", "file"])
def test_temporary_folder_of_somebody_else_is_not_used(kind, nowhere, tmp_path, monkeypatch):
    monkeypatch.setattr(caches.tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / f"ensue-{os.getuid()}"
    if kind == "open":
        folder.mkdir()
        folder.chmod(0o777)
    elif kind == "link":
        (tmp_path / "theirs").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "theirs")
    else:
        folder.touch()
    assert cache_folder() is None


def test_no_folder_is_no_error(nowhere):
    assert cache_folder() is None
    assert caches.wanted_folder().name == caches.VARIABLE


# All kernels are known.


def _decorates(node):
    return getattr(node, "id", None) or getattr(getattr(node, "func", None), "id", None)


def test_every_module_with_kernels_is_listed():
    found = []
    for path in SOURCE.rglob("*.py"):
        functions = [
            node
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.FunctionDef)
        ]
        if any(
            _decorates(each) in ("compiled", "inlined")
            for f in functions
            for each in f.decorator_list
        ):
            found.append("ensue." + ".".join(path.relative_to(SOURCE).with_suffix("").parts))
    assert sorted(found) == list(MODULES)


def _global_names(code):
    names = set(code.co_names)
    for each in code.co_consts:
        if hasattr(each, "co_names"):
            names |= _global_names(each)
    return names


def _imports(module):
    """The names that a module imports, and from where."""
    tree = ast.parse(Path(sys.modules[module].__file__).read_text("utf-8"))
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_kernels_use_what_modules_with_kernels_define():
    """Or a change elsewhere would leave what is compiled stale."""
    for kernel in all_kernels():
        known = kernel.function.__globals__
        imported = _imports(kernel.__module__)
        for name in _global_names(kernel.function.__code__) & set(known) & set(imported):
            if imported[name][0].startswith("ensue."):
                origin = getattr(known[name], "__module__", None) or imported[name][0]
                assert origin in MODULES or _defined_in_door(imported[name]), (kernel.name, name)


def _defined_in_door(imported):
    """Whether a constant comes by a door from a module with kernels."""
    module, name = imported
    stub = SOURCE.joinpath(*module.split(".")[1:], "__init__.pyi")
    if not stub.exists():
        return False
    for node in ast.walk(ast.parse(stub.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
            return f"{module}.{node.module}" in MODULES
    return False
