"""What is said with figures: a value, and how one stands to another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class ValueKind(StrEnum):
    """What a value measures."""

    NUMBER = "number"
    AMOUNT = "amount"
    """Of money."""
    PERCENT = "percent"
    MEASURE = "measure"
    """A number with a unit: 5 km, 3 years, 20 degrees."""
    ORDINAL = "ordinal"
    DATE = "date"
    TIME = "time"


class Agreement(StrEnum):
    """How a hypothesis's value stands to a text's."""

    SAME = "same"
    FOLLOWS = "follows"
    """Not equal, but true where the text's is: 25, more than 20."""
    OPEN = "open"
    """May be true or not: more than 20, 25."""
    DIFFERENT = "different"
    """Not true where the text's is: 62, 64."""
    INCOMPARABLE = "incomparable"
    """Of another kind or unit."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value and the tokens that say it."""

    kind: ValueKind
    first: int
    """The first token, with whatever limits the value: of "more than 20", "more"."""
    last: int
    """The token after the last."""
    low: float = 0.0
    """The least that it may be, in units: 27.5e9 for "27.5 billion"; -inf for no limit."""
    high: float = 0.0
    """The most; equal to `low` for an exact number. Dates and times have neither."""
    approximate: bool = False
    """About so much; of dates, somewhere in or around it."""
    unit: str = ""
    """A currency's code, `percent`, `percentage point`, or a unit's name in the singular."""
    strict: bool = False
    """Whether the limits themselves are excluded, as 20 is by "more than 20"."""
    year_low: int | None = None
    """The first year of a date: 1990 for "the 1990s"; negative before Christ."""
    year_high: int | None = None
    """The last year, equal to `year_low` for a date in one year."""
    month: int | None = None
    """From 1."""
    day: int | None = None
    weekday: int | None = None
    """0 for Monday."""
    part: str = ""
    """Of a year or month: early, mid, late, or a season."""
    hour: int | None = None
    """0 to 23."""
    minute: int | None = None
    twelve_hour: bool = False
    """Whether the hour may be in either half of the day: "3:30"."""

    @property
    def year(self) -> int | None:
        """The year of a date that lies in one."""
        return self.year_low if self.year_low == self.year_high else None

    @property
    def is_exact(self) -> bool:
        """Whether it is one number, date or time and not a range, limit or estimate."""
        same_year = self.year_low == self.year_high
        return self.low == self.high and same_year and not self.approximate and not self.twelve_hour

    def without_place(self) -> Value:
        """What is said, wherever it stands: equal to all that say the same."""
        return replace(self, first=0, last=0)
