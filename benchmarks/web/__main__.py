"""`python -m benchmarks.web RUNS PAIRS SECONDS`: sizes other than the marks', for a quick look."""

import sys

from benchmarks.web.marks import main

main(*map(int, sys.argv[1:]))
