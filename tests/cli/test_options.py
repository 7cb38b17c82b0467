"""The command line as a whole: how many commands and options, and one spelling for one thing."""

from collections import defaultdict

import click
import pytest

from ensue.cli.app import ensue, run

MOST_COMMANDS = 41
MOST_OPTIONS = 16


def commands(group, path=()):
    """Every command that does something, by its whole name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield " ".join((*path, name)), command


FOUND = dict(commands(ensue))


def options(command):
    return [each for each in command.params if isinstance(each, click.Option)]


def test_there_are_not_too_many_commands():
    assert len(FOUND) <= MOST_COMMANDS


@pytest.mark.parametrize("name", FOUND)
def test_command_has_not_too_many_options(name):
    assert len(options(FOUND[name])) <= MOST_OPTIONS


def test_short_and_long_name_belong_together():
    longs = defaultdict(set)
    for command in FOUND.values():
        for option in options(command):
            short, long = min(option.opts, key=len), max(option.opts, key=len)
            longs[short].add(long)
    assert {short: names for short, names in longs.items() if len(names) > 1} == {}


def test_option_of_one_name_takes_the_same_everywhere():
    kinds = defaultdict(set)
    for command in FOUND.values():
        for option in options(command):
            kinds[max(option.opts, key=len)].add((type(option.type), option.is_flag))
    assert {name for name, found in kinds.items() if len(found) > 1} <= {"--format"}


@pytest.mark.parametrize(
    ("arguments", "instead"),
    [
        (["judge", "x", "--folds", "5"], "--folds is no option any more; use ensue validate"),
        (["data", "show", "x", "--column", "a=b"], "use --read FIELD=COLUMN"),
        (["serve", "restore", "x"], "restore is no command any more; use ensue serve backup FILE"),
    ],
)
def test_former_option_and_command_say_what_does_the_same(arguments, instead, capsys):
    assert run(arguments) == 2
    assert instead in capsys.readouterr().err
