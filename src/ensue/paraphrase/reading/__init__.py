"""Files of ranked lists and of instance-based judgments."""

from ensue.paraphrase.reading.instances import Instances, read_instances
from ensue.paraphrase.reading.lists import read_lists
from ensue.paraphrase.reading.numbers import read_list_numbers
from ensue.paraphrase.reading.rules import (
    MOST_RIGHT,
    InstanceShare,
    instance_shares,
    lists_of_instances,
)
from ensue.paraphrase.reading.writing import write_lists

__all__ = [
    "MOST_RIGHT",
    "InstanceShare",
    "Instances",
    "instance_shares",
    "lists_of_instances",
    "read_instances",
    "read_list_numbers",
    "read_lists",
    "write_lists",
]
