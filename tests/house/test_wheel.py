"""The built wheel works alone."""

import subprocess
import sys
import venv

import pytest


@pytest.mark.slow
def test_wheel_runs_in_an_empty_environment(root, tmp_path):
    def run(*command):
        done = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "dist", root]
    run(sys.executable, *build)
    (wheel,) = (tmp_path / "dist").glob("ensue-*.whl")
    venv.create(tmp_path / "alone", with_pip=True)
    bin_folder = tmp_path / "alone" / "bin"
    lock = root / "requirements" / "dev.lock"
    run(bin_folder / "python", "-m", "pip", "install", "--quiet", "--no-compile", wheel, "-c", lock)
    assert "Recognize, evaluate and diagnose textual entailment" in run(
        bin_folder / "ensue", "--help"
    )
    assert "verdict: entailment" in run(
        bin_folder / "ensue", "explain", "A dog barks at night.", "A dog barks."
    )
    assert "modified-bleu" in run(bin_folder / "ensue", "list", "recognizers")
    assert "pytest" not in run(bin_folder / "python", "-m", "pip", "list")
