from .instances import lists_of_instances as lists_of_instances, read_instances as read_instances
from .lists import (
    read_list_numbers as read_list_numbers,
    read_lists as read_lists,
    write_lists as write_lists,
)
