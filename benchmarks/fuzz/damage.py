"""Damaged files, made of rows that are right: by their cells, their columns, or their bytes."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.fuzz import oddities

Row = dict[str, Any]

# Rows with cells, columns and keys as they should not be.


def damaged_rows(rows: Sequence[Row], rng: Random, *, labels: Sequence[str] = ()) -> list[Row]:
    """The rows, with one to three things wrong in them."""
    found = [dict(row) for row in rows]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rng.choice(_ROW_DAMAGES)(found, rng, labels)
    return found


def _odd_cell(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:  # noqa: ARG001
    row = rng.choice(rows)
    row[rng.choice(list(row) or ["text"])] = oddities.cell(rng)


def _odd_text(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:  # noqa: ARG001
    row = rng.choice(rows)
    texts = [name for name, value in row.items() if isinstance(value, str)] or ["text"]
    row[rng.choice(texts)] = oddities.text(rng, with_surrogates=False)


def _no_cell(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:  # noqa: ARG001
    row = rng.choice(rows)
    row.pop(rng.choice(list(row) or [""]), None)


def _no_column(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:  # noqa: ARG001
    name = rng.choice(list(rows[0]) or [""])
    for row in rows:
        row.pop(name, None)


def _other_name(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:  # noqa: ARG001
    name = rng.choice(list(rows[0]) or [""])
    other = rng.choice([name.upper(), f" {name} ", f"{name}2", "", "label", "premise", "score"])
    for row in rows:
        if name in row:
            row[other] = row.pop(name)


def _more_columns(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:  # noqa: ARG001
    name = rng.choice(["note", "sentence1", "label", "id ", "meta", "", "𝒳", "a\tb", "gold_label"])
    for row in rows:
        row[name] = oddities.cell(rng)


def _doubled(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:  # noqa: ARG001
    rows.insert(rng.randrange(len(rows)), dict(rng.choice(rows)))


def _same_id(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:  # noqa: ARG001
    first = next(iter(rows[0]))
    value = rng.choice([rows[0].get(first), 1, 1.0, "1", None, True, " 1", "１"])
    for row in rng.sample(rows, min(2, len(rows))):
        row[first] = value


def _odd_label(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:
    named = [name for name in labels if name in rows[0]]
    if named:
        odd = [
            "maybe",
            "",
            "-",
            "ENTAILMENT",
            0,
            1,
            2,
            -1,
            None,
            0.5,
            "yes",
            ["entailment"],
            "undef",
        ]
        rng.choice(rows)[rng.choice(named)] = rng.choice(odd)


def _few(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:  # noqa: ARG001
    del rows[rng.randint(1, 2) :]


def _other_order(rows: list[Row], rng: Random, labels: Sequence[str]) -> None:  # noqa: ARG001
    rng.shuffle(rows)


_ROW_DAMAGES: list[Callable[[list[Row], Random, Sequence[str]], None]] = [
    _odd_cell,
    _odd_cell,
    _odd_text,
    _odd_text,
    _odd_text,
    _odd_text,
    _no_cell,
    _no_column,
    _other_name,
    _more_columns,
    _doubled,
    _same_id,
    _odd_label,
    _few,
    _other_order,
]

# Rows as files.


def to_jsonl(rows: Sequence[Row], rng: Random) -> bytes:
    """A row a line; sometimes with a key twice."""
    lines = [oddities.json_line(row) for row in rows]
    if lines and rng.random() < 0.15:
        number = rng.randrange(len(lines))
        key = next(iter(rows[number]), "id")
        lines[number] = f'{{"{key}": "first", {lines[number][1:]}'
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def to_json(rows: Sequence[Row], rng: Random) -> bytes:
    """One array; sometimes nested, with a comma too many, or with something behind it."""
    body = ",\n".join(oddities.json_line(row) for row in rows)
    shapes = ["[{}]", "[{}]", "[{}]", "[{},]", "[[{}]]", "[{}] x", "[{}", '{{"data": [{}]}}']
    return rng.choice(shapes).format(body).encode("utf-8", "surrogatepass")


def to_csv(rows: Sequence[Row], rng: Random, *, delimiter: str | None = None) -> bytes:
    """Quoted where need be, with commas or semicolons."""
    file = io.StringIO(newline="")
    names = columns(rows)
    writer = csv.writer(file, delimiter=delimiter or rng.choice(",,,;"), lineterminator="\n")
    writer.writerow(names)
    writer.writerows([["" if row.get(n) is None else row.get(n) for n in names] for row in rows])
    return file.getvalue().encode("utf-8", "surrogatepass")


def to_tsv(rows: Sequence[Row], rng: Random) -> bytes:  # noqa: ARG001
    """Not quoted: tabs and line breaks of cells become more cells and lines."""
    names = columns(rows)
    lines = [
        names,
        *([str("" if row.get(n) is None else row.get(n)) for n in names] for row in rows),
    ]
    return "".join("\t".join(line) + "\n" for line in lines).encode("utf-8", "surrogatepass")


def to_parquet(rows: Sequence[Row], rng: Random) -> bytes:
    """Columns of the types that their cells have; texts where they have several."""
    made = {name: _array([row.get(name) for row in rows], rng) for name in columns(rows)}
    file = io.BytesIO()
    pq.write_table(pa.table(made), file)
    return file.getvalue()


def _array(values: list[Any], rng: Random) -> pa.Array:
    if rng.random() < 0.05:
        return pa.array([str(value) for value in values]).dictionary_encode()
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeEncodeError):
        shown = [None if value is None else str(value) for value in values]
        return pa.array([s and s.encode("utf-8", "replace").decode() for s in shown])


def to_rte(rows: Sequence[Row], rng: Random) -> bytes:
    """RTE's XML, with what is there as it is."""
    names = {"gold": "entailment"}
    written = {"entailment": "YES", "not-entailment": "NO", "unknown": "UNKNOWN"}
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n']
    if rng.random() < 0.1:
        parts.append(rng.choice(ENTITIES))
    parts.append("<entailment-corpus>\n")
    for row in rows:
        attributes = "".join(
            f" {names.get(name, name)}={quoteattr(str(written.get(str(value), value)))}"
            for name, value in row.items()
            if name not in ("text", "hypothesis") and name.isidentifier() and value is not None
        )
        sides = "".join(
            f"<{tag}>{escape(str(row[name]))}</{tag}>\n"
            for tag, name in (("t", "text"), ("h", "hypothesis"))
            if name in row
        )
        parts.append(f"<pair{attributes}>\n{sides}</pair>\n")
    parts.append("</entailment-corpus>\n")
    return "".join(parts).encode("utf-8", "surrogatepass")


ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n',
    '<!DOCTYPE x SYSTEM "file:///etc/passwd">\n',
    '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>\n',
    "<!-- <pair> -->\n<?odd instruction?>\n",
)


def to_fracas(rows: Sequence[Row], rng: Random) -> bytes:  # noqa: ARG001
    """FraCaS problems."""
    answers = {"entailment": "yes", "not-entailment": "no", "contradiction": "no"}
    parts = ["<fracas-problems>\n<comment class='section'> 1 QUANTIFIERS </comment>\n"]
    for row in rows:
        answer = answers.get(str(row.get("gold")), "undef")
        parts.append(
            f"<problem id={quoteattr(str(row.get('id')))} fracas_answer={quoteattr(answer)}>"
            f"<p idx='1'> {escape(str(row.get('text')))} </p><q> </q>"
            f"<h> {escape(str(row.get('hypothesis')))} </h></problem>\n"
        )
    parts.append("</fracas-problems>\n")
    return "".join(parts).encode("utf-8", "surrogatepass")


def columns(rows: Sequence[Row]) -> list[str]:
    """The names of all rows, in the order in which they come."""
    return list(dict.fromkeys(str(name) for row in rows for name in row))


# Bytes as they should not be.


def damaged_bytes(content: bytes, rng: Random) -> tuple[bytes, str]:
    """The bytes with one or two things wrong in them, and what these are."""
    names = rng.sample(list(_BYTE_DAMAGES), rng.choice([1, 1, 2]))
    for name in names:
        content = _BYTE_DAMAGES[name](content, rng)
    return content, ", ".join(names)


def _flip(content: bytes, rng: Random) -> bytes:
    found = bytearray(content)
    for _ in range(rng.choice([1, 3, 30])):
        if found:
            found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def _cut(content: bytes, rng: Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _without_part(content: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + content[at + rng.choice([1, 10, 200]) :]


def _with(part: Callable[[Random], bytes]) -> Callable[[bytes, Random], bytes]:
    def damage(content: bytes, rng: Random) -> bytes:
        at = rng.choice([0, len(content), rng.randrange(len(content) + 1)])
        return content[:at] + part(rng) + content[at:]

    return damage


def _lines(change: Callable[[list[bytes], Random], None]) -> Callable[[bytes, Random], bytes]:
    def damage(content: bytes, rng: Random) -> bytes:
        lines = content.splitlines(keepends=True)
        if lines:
            change(lines, rng)
        return b"".join(lines)

    return damage


def _double_line(lines: list[bytes], rng: Random) -> None:
    number = rng.randrange(len(lines))
    lines.insert(number, lines[number])


def _drop_line(lines: list[bytes], rng: Random) -> None:
    del lines[rng.randrange(len(lines))]


def _swap_lines(lines: list[bytes], rng: Random) -> None:
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]


def _empty_lines(lines: list[bytes], rng: Random) -> None:
    for _ in range(3):
        lines.insert(rng.randrange(len(lines) + 1), rng.choice([b"\n", b"  \n", b"\t\n", b"\r\n"]))


def _mixed_ends(lines: list[bytes], rng: Random) -> None:
    for number, line in enumerate(lines):
        lines[number] = line.rstrip(b"\r\n") + rng.choice([b"\n", b"\r\n", b"\r"])


def _encoded(content: bytes, rng: Random) -> bytes:
    name = rng.choice(
        ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "latin-1", "cp1252", "cp500"]
    )
    text = content.decode("utf-8", "replace")
    return text.encode(name, "replace")


def _packed(content: bytes, rng: Random) -> bytes:
    packed = rng.choice([gzip.compress, bz2.compress, lzma.compress])(content)
    return packed if rng.random() < 0.5 else packed[: rng.randrange(len(packed) + 1)]


_BYTE_DAMAGES: dict[str, Callable[[bytes, Random], bytes]] = {
    "bits flipped": _flip,
    "cut": _cut,
    "a part missing": _without_part,
    "NUL": _with(lambda rng: b"\0" * rng.choice([1, 100])),
    "byte-order mark": _with(lambda rng: rng.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])),
    "not UTF-8": _with(lambda rng: rng.choice([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\xaf"])),
    "other bytes": _with(lambda rng: rng.randbytes(rng.choice([1, 20, 400]))),
    "brackets": _with(lambda rng: rng.choice([b"[", b'{"a":', b"<a>", b'"', b"("]) * 20_000),
    "odd text": _with(lambda rng: oddities.text(rng).encode("utf-8", "surrogatepass")),
    "line doubled": _lines(_double_line),
    "line dropped": _lines(_drop_line),
    "lines swapped": _lines(_swap_lines),
    "empty lines": _lines(_empty_lines),
    "mixed line ends": _lines(_mixed_ends),
    "only CR": lambda content, rng: content.replace(b"\n", b"\r"),  # noqa: ARG005
    "CRLF": lambda content, rng: content.replace(b"\n", b"\r\n"),  # noqa: ARG005
    "one line": lambda content, rng: content.replace(b"\n", b" "),  # noqa: ARG005
    "another encoding": _encoded,
    "packed": _packed,
    "empty": lambda content, rng: b"",  # noqa: ARG005
    "blanks": lambda content, rng: rng.choice([b"\n", b" \n\t\n", b"\r\n\r\n", b"\xef\xbb\xbf"]),  # noqa: ARG005
    "whole file twice": lambda content, rng: content + content,  # noqa: ARG005
}
"""What may befall a file, by name."""


# Values of JSON and elements of markup as they should not be.


def damaged_json(value: Any, rng: Random) -> Any:
    """A value with something else somewhere in it."""
    if rng.random() < 0.15 or not isinstance(value, dict | list) or not value:
        return oddities.cell(rng)
    if isinstance(value, list):
        number = rng.randrange(len(value))
        return [*value[:number], damaged_json(value[number], rng), *value[number + 1 :]]
    name = rng.choice(list(value))
    if rng.random() < 0.2:
        return {key: each for key, each in value.items() if key != name}
    return {**value, name: damaged_json(value[name], rng)}


def damaged_markup(source: str, rng: Random) -> str:
    """Markup with an element or an attribute doubled, gone, or with another value or name."""
    kind = rng.choice(["value", "value", "name", "element gone", "element doubled", "text"])
    if kind in ("value", "name"):
        places = list(re.finditer(r'(\w+)="([^"]*)"', source))
        place = rng.choice(places)
        odd = rng.choice(["", "x", "-1", "99999999999999999999", "é", "nVn nVn", "{0}", "0"])
        name, value = (odd or "x", place[2]) if kind == "name" else (place[1], odd)
        changed = f'{name}="{value}"'
    else:
        places = list(re.finditer(r"<(\w+)[^<>]*>[^<>]*</\1>|<\w+[^<>]*/>", source))
        place = rng.choice(places)
        odd = escape(oddities.text(rng, with_surrogates=False))
        changed = {
            "element gone": "",
            "element doubled": place[0] * 2,
            "text": f"<Arg>{odd}</Arg>",
        }[kind]
    return source[: place.start()] + changed + source[place.end() :]
