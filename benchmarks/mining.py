"""Error mining on precomputed forms: a million cases with eight forms each, ten iterations.

Beside ours: a plain reading of the published formulas in Python, with dictionaries, which looks at
error cases alone while it iterates. It is measured on a part of the cases and scaled; its time is
linear in them. Then ours on more and more cases: linear growth is a constant time an occurrence.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from benchmarks.timing import best_seconds, show
from ensue.mining import Forms, suspicion_rates

N_CASES = 1_000_000
FORMS_A_CASE = 8
N_FORMS = 200
ERROR_RATE = 0.25
"""As in the published test suite: 2,515 errors and 7,317 right answers."""
PART = 100_000
"""How many cases the plain version gets."""
SIZES = (250_000, 500_000, 1_000_000, 2_000_000)


def main() -> None:
    """Print the seconds of both, their ratio, and nanoseconds an occurrence at several sizes."""
    offsets, ids, errors = _simulated(N_CASES)
    forms = Forms(tuple(map(str, range(N_FORMS))), offsets, ids)
    cases = ids[: PART * FORMS_A_CASE].reshape(PART, FORMS_A_CASE).tolist()
    wrong = errors[:PART].tolist()
    ours = best_seconds(lambda: suspicion_rates(forms, errors))
    plain = best_seconds(lambda: plain_rates(cases, wrong, 10), repeats=2) * N_CASES / PART
    show(
        f"Mining {N_CASES:,} cases with {FORMS_A_CASE} forms each, {ERROR_RATE:.0%} errors",
        [
            ("ensue, suspicion_rates", ours, plain / ours),
            (f"plain Python, {PART:,} cases, scaled", plain, 1.0),
        ],
        "seconds",
        "× plain",
    )
    print(f"  {'cases':>10}  {'ns an occurrence':>17}")
    for size in SIZES:
        offsets, ids, errors = _simulated(size)
        forms = Forms(forms.names, offsets, ids)
        seconds = best_seconds(lambda forms=forms, errors=errors: suspicion_rates(forms, errors))
        print(f"  {size:>10,}  {seconds / len(ids) * 1e9:>17.2f}")


def plain_rates(cases: list[list[int]], errors: list[bool], iterations: int) -> dict[int, float]:
    """The suspicion rate of each form, as the formulas read."""
    occurrences = Counter(form for case in cases for form in case)
    erring = [case for case, error in zip(cases, errors, strict=True) if error]
    shares = [[1 / len(case)] * len(case) for case in erring]
    rates: dict[int, float] = {}
    for _ in range(iterations):
        sums: defaultdict[int, float] = defaultdict(float)
        for case, of_case in zip(erring, shares, strict=True):
            for form, share in zip(case, of_case, strict=True):
                sums[form] += share
        rates = {form: sums[form] / n for form, n in occurrences.items()}
        shares = []
        for case in erring:
            total = sum(rates[form] for form in case)
            shares.append([rates[form] / total for form in case])
    return rates


def _simulated(
    n_cases: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cases of eight different forms, drawn from two hundred, and which are errors."""
    rng = np.random.default_rng(0)
    width = N_FORMS // FORMS_A_CASE
    ids = rng.integers(0, width, size=(n_cases, FORMS_A_CASE), dtype=np.int32)
    ids += np.arange(FORMS_A_CASE, dtype=np.int32) * width
    offsets = np.arange(n_cases + 1, dtype=np.int64) * FORMS_A_CASE
    return offsets, ids.ravel(), rng.random(n_cases) < ERROR_RATE
