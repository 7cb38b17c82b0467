"""How tests tell errors: by their codes. The words are held once, by `docs/errors.md`."""

from ensue.errors import EnsueError


def coded(code):
    """A check for `pytest.raises`: whether an error has this code."""

    def check(error):
        assert isinstance(error, EnsueError)
        assert error.code == code
        return True

    return check
