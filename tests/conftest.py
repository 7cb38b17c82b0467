"""Fixtures that several rooms' tests share."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[1]

# One thread each, also for child processes: on a busy machine more of them wait for each other,
# and waiting is six times the work of a small fit. numpy reads this when it is first imported.
for _library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

# Tests that load onnxruntime themselves report nothing either.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# Whatever the terminal is: tests that want a certain one say so.
for _name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLORTERM"):
    os.environ.pop(_name, None)
os.environ["TERM"] = "xterm-256color"

pytest_plugins = ["tests.databases"]

settings.register_profile(
    "ensue",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ensue")


def _hear_signals():
    """Undo what a shell ignores for a process in the background, and nohup for any.

    Children inherit what is ignored, but not a handler: those that tests interrupt begin as if
    they were started in a terminal, while a hangup still leaves the tests themselves alone.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


_hear_signals()


def link_kernels(folder):
    """Give a folder of caches the kernels that sessions keep: few tests are to compile their own."""
    kernels = ROOT / ".pytest_cache" / "kernels"
    kernels.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        (folder / "kernels").symlink_to(kernels)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep analyses away from the user's; the workers of one session share theirs."""
    folder = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        folder = folder.parent
    os.environ["ENSUE_CACHE"] = str(folder / "ensue-cache")
    os.environ["ENSUE_KERNELS"] = "compiled"
    link_kernels(folder / "ensue-cache")


@pytest.fixture
def use_cache(monkeypatch):
    """Keep analyses in this folder from now on."""

    def use(folder):
        link_kernels(folder)
        monkeypatch.setenv("ENSUE_CACHE", str(folder))

    return use


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def examples(root) -> Path:
    """The pairs that the project ships."""
    return root / "examples" / "pairs.xml"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The data sets beside the checkout, or where ENSUE_DATA says."""
    directory = Path(os.environ.get("ENSUE_DATA", ROOT.parent / "shared" / "data"))
    if not (directory / "rte").is_dir():
        pytest.skip(f"no data sets in {directory}; name them with ENSUE_DATA")
    return directory


@pytest.fixture
def cheap_passwords(monkeypatch):
    """Hash passwords as always, with less work: tests make hundreds of them."""
    from argon2 import PasswordHasher

    from ensue.workbench import accounts as passwords

    cheap = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(passwords, "_hasher", lambda: cheap)
