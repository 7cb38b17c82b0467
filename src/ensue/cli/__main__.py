"""`python -m ensue.cli` is `ensue`."""

from ensue.cli.app import main

main()
