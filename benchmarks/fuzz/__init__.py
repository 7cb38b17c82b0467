"""Damaged and odd inputs through library and commands: `python -m benchmarks.fuzz`.

A case is made by its number and a seed alone, so that each can be run again: `--only 417`. `damage`
makes files, `oddities` texts and values, `commands` runs commands on the files and `library`
calls the public names; both say what is wrong with what came back.
"""
