"""Kernels are compiled where they can be kept, and where they cannot."""

from ensue import compiling


def test_kernel_is_compiled_where_nothing_can_be_kept(monkeypatch):
    plain = compiling.njit

    def without_a_place(*arguments, **options):
        if options.get("cache"):
            raise RuntimeError("cannot cache function 'double': no locator available")
        return plain(*arguments, **options)

    monkeypatch.setattr(compiling, "njit", without_a_place)

    def double(number):
        return 2 * number

    assert compiling.compiled(double)(21) == 42
