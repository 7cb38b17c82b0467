from .findings import (
    Finding as Finding,
    OnFinding as OnFinding,
    Severity as Severity,
    ignore_finding as ignore_finding,
)
from .inputs import (
    MAGIC_SIZE as MAGIC_SIZE,
    STANDARD as STANDARD,
    decoded_lines as decoded_lines,
    filled_lines as filled_lines,
    known_codec as known_codec,
    marked_encoding as marked_encoding,
    open_input as open_input,
    packing_of as packing_of,
    peeked as peeked,
    peeked_or_sought as peeked_or_sought,
    shown_name as shown_name,
    unpacked as unpacked,
    unpacked_name as unpacked_name,
)
from .markup import looks_like_xml as looks_like_xml, parse as parse
from .outputs import (
    check_output as check_output,
    check_outputs as check_outputs,
    check_outside as check_outside,
    new_directory as new_directory,
    open_output as open_output,
    open_text_output as open_text_output,
    writable as writable,
)
from .rows import (
    HeaderRow as HeaderRow,
    Row as Row,
    RowFormat as RowFormat,
    delimited as delimited,
    delimited_rows as delimited_rows,
    finite as finite,
    is_filled as is_filled,
    raw_rows as raw_rows,
    read_header as read_header,
    read_rows as read_rows,
    row_format as row_format,
)
from .tables import (
    FileFormat as FileFormat,
    OutputRow as OutputRow,
    head_bytes as head_bytes,
    row_bytes as row_bytes,
    write_rows as write_rows,
)
from .urls import (
    checksum as checksum,
    file_system as file_system,
    is_url as is_url,
    local_name as local_name,
    open_url as open_url,
    reachable as reachable,
    without_password as without_password,
)
