"""Words for numbers, months, units and currencies, and a sentence's tokens to look up.

Units are those of the SI brochure and the customary ones of the United States and Britain, as in
NIST Special Publication 811, appendix B; currencies have their codes of ISO 4217.
"""

from __future__ import annotations

from ensue.language.analyzer import Sentence

# Words for numbers, months, units and currencies.


def _numbered(words: str, first: int = 1) -> dict[str, int]:
    """Words by their place; alternatives are joined by a bar."""
    return {
        word: number
        for number, group in enumerate(words.split(), first)
        for word in group.split("|")
    }


SMALL = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen",
    0,
) | {
    word: 10 * number
    for word, number in _numbered(
        "twenty thirty forty|fourty fifty sixty seventy eighty ninety", 2
    ).items()
}

SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "quadrillion": 1e15,
}

FIGURE_SCALES = SCALES | {
    "dozen": 12.0,
    "k": 1e3,
    "mn": 1e6,
    "mln": 1e6,
    "bn": 1e9,
    "bln": 1e9,
    "tn": 1e12,
}
"""What may follow a number in figures, together or apart; `m` also may, but is a meter as well."""

VAGUE = {
    "tens": 10.0,
    "dozens": 12.0,
    "scores": 20.0,
    "hundreds": 1e2,
    "thousands": 1e3,
    "millions": 1e6,
    "billions": 1e9,
    "trillions": 1e12,
}
"""Plurals: at least two of them, with no upper limit."""

ORDINALS = _numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
) | {"thirtieth": 30, "fortieth": 40, "fiftieth": 50, "hundredth": 100, "thousandth": 1000}

SHARES = {"half": 2, "third": 3, "quarter": 4} | {
    word: number for word, number in ORDINALS.items() if 4 <= number <= 20
}
"""One of so many equal parts."""

PLURAL_SHARES = {"halves": 2} | {f"{word}s": parts for word, parts in SHARES.items()}

MONTHS = _numbered(
    "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug"
    " september|sept|sep october|oct november|nov december|dec"
)

WEEKDAYS = _numbered(
    "monday|mon tuesday|tue|tues wednesday|wed thursday|thu|thur|thurs friday|fri saturday|sat"
    " sunday|sun",
    0,
)

SEASONS = {
    "spring": "spring",
    "summer": "summer",
    "autumn": "autumn",
    "fall": "autumn",
    "winter": "winter",
}

PARTS = {"early": "early", "mid": "mid", "late": "late"}
"""What stands before a date."""

ENDS = {"beginning": "early", "start": "early", "middle": "mid", "end": "late", "close": "late"}
"""What stands before "of" and a date."""

_MEASURES = """
length      meter 1               meters metre metres
length      kilometer 1000        kilometers kilometre kilometres km kms
length      centimeter 0.01       centimeters centimetre centimetres cm
length      millimeter 0.001      millimeters millimetre millimetres mm
length      mile 1609.344         miles
length      yard 0.9144           yards yd
length      foot 0.3048           feet ft ft.
length      inch 0.0254           inches
length      light-year 9.4607e15  light-years
area        hectare 10000         hectares ha
area        acre 4046.856         acres
area        square~meter 1
area        square~kilometer 1e6
area        square~mile 2589988
area        square~foot 0.092903
volume      liter 0.001           liters litre litres
volume      milliliter 1e-6       milliliters ml
volume      gallon 0.0037854      gallons
volume      barrel 0.158987       barrels bbl
volume      cubic~meter 1
volume      cubic~foot 0.0283168
mass        gram 0.001            grams gramme grammes
mass        milligram 1e-6        milligrams mg
mass        kilogram 1            kilograms kilogramme kilogrammes kilo kilos kg kgs
mass        ton 1000              tons tonne tonnes
mass        pound 0.45359237      lb lbs lb. lbs.
mass        ounce 0.0283495       ounces oz oz.
time        second 1              seconds sec secs
time        minute 60             minutes min mins
time        hour 3600             hours hr hrs
time        day 86400             days
nights      night 1               nights
time        week 604800           weeks
time        month 2629800         months
time        year 31557600         years yr yrs
time        decade 315576000      decades
time        century 3155760000    centuries
speed       kilometer~per~hour 1  kph km/h kmh kmph
speed       mile~per~hour 1.609344 mph
speed       knot 1.852            knots
power       watt 1                watts
power       kilowatt 1e3          kilowatts kw
power       megawatt 1e6          megawatts mw
power       gigawatt 1e9          gigawatts gw
power       horsepower 745.7      hp
energy      joule 1               joules
energy      kilowatt-hour 3.6e6   kilowatt-hours kwh
energy      calorie 4.184         calories
frequency   hertz 1               hz
frequency   megahertz 1e6         mhz
frequency   gigahertz 1e9         ghz
data        byte 1                bytes
data        kilobyte 1e3          kilobytes kb
data        megabyte 1e6          megabytes mb
data        gigabyte 1e9          gigabytes gb
data        terabyte 1e12         terabytes tb
tension     volt 1                volts
angle       degree 1              degrees °
celsius     degree~Celsius 1      °c
fahrenheit  degree~Fahrenheit 1   °f
points      basis~point 1
points      percentage~point 100
"""


def _measures() -> tuple[dict[str, str], dict[str, tuple[str, float]]]:
    names: dict[str, str] = {}
    sizes: dict[str, tuple[str, float]] = {}
    for line in _MEASURES.split("\n")[1:-1]:
        dimension, unit, size, *others = line.split()
        name = unit.replace("~", " ")
        sizes[name] = (dimension, float(size))
        names.update(dict.fromkeys((name, *others), name))
    return names, sizes


UNITS, SIZES = _measures()
"""The names of units by their words, and the dimension of each with its size in some base unit."""

COMPOUND_UNITS = {
    ("square", "meter"): "square meter",
    ("square", "kilometer"): "square kilometer",
    ("square", "mile"): "square mile",
    ("square", "foot"): "square foot",
    ("cubic", "meter"): "cubic meter",
    ("cubic", "foot"): "cubic foot",
    ("sq", "kilometer"): "square kilometer",
    ("sq", "meter"): "square meter",
    ("sq", "foot"): "square foot",
    ("metric", "ton"): "ton",
}

DEGREES = {
    "celsius": "degree Celsius",
    "centigrade": "degree Celsius",
    "c": "degree Celsius",
    "fahrenheit": "degree Fahrenheit",
    "f": "degree Fahrenheit",
}

PERCENTS = frozenset(("%", "percent", "pct", "pct."))

SYMBOLS = {
    "$": "USD",
    "us$": "USD",
    "usd": "USD",
    "c$": "CAD",
    "a$": "AUD",
    "nz$": "NZD",
    "hk$": "HKD",
    "s$": "SGD",
    "€": "EUR",
    "eur": "EUR",
    "£": "GBP",
    "gbp": "GBP",
    "¥": "JPY",
    "yen": "JPY",
    "₹": "INR",
    "rs": "INR",
    "rs.": "INR",
    "₩": "KRW",
    "₽": "RUB",
    "₪": "ILS",
    "chf": "CHF",
    "dm": "DEM",
}
"""What stands before an amount."""

CURRENCIES = {
    "dollar": "USD",
    "dollars": "USD",
    "usd": "USD",
    "buck": "USD",
    "bucks": "USD",
    "euro": "EUR",
    "euros": "EUR",
    "eur": "EUR",
    "€": "EUR",
    "sterling": "GBP",
    "quid": "GBP",
    "yen": "JPY",
    "yuan": "CNY",
    "renminbi": "CNY",
    "rupee": "INR",
    "rupees": "INR",
    "ruble": "RUB",
    "rubles": "RUB",
    "rouble": "RUB",
    "roubles": "RUB",
    "franc": "CHF",
    "francs": "CHF",
    "peso": "MXN",
    "pesos": "MXN",
    "krona": "SEK",
    "kronor": "SEK",
    "krone": "NOK",
    "kroner": "NOK",
    "shekel": "ILS",
    "shekels": "ILS",
    "baht": "THB",
    "ringgit": "MYR",
    "rupiah": "IDR",
    "zloty": "PLN",
    "forint": "HUF",
    "naira": "NGN",
}
"""What stands after an amount."""

MONEY_ONLY = {"pound": "GBP", "pounds": "GBP", "won": "KRW", "marks": "DEM", "rand": "ZAR"}
"""Words that are currencies only where they are seen to be money."""

NATIONAL = {
    "us": "USD",
    "u.s.": "USD",
    "american": "USD",
    "canadian": "CAD",
    "australian": "AUD",
    "singapore": "SGD",
    "kong": "HKD",
    "zealand": "NZD",
    "taiwan": "TWD",
}
"""Whose dollars they are."""


# The columns of a sentence that values are read from, in a form that is quick to look into.

_BEYOND = 8
"""Empty tokens after the last, so that looking some way past either end needs no check."""

NAMES = frozenset(
    ("PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW")
)
"""Kinds of entities in which a figure is part of a name."""

COUNTS = frozenset(("CARDINAL", "QUANTITY", "MONEY", "PERCENT"))
"""Kinds of entities in which a figure is no date."""

HYPHENS = frozenset("-–—")


class SentenceTokens:
    """The tokens of a sentence; before the first and after the last stand empty ones."""

    __slots__ = ("forms", "kinds", "lemmas", "n", "tags", "words")

    def __init__(self, sentence: Sentence) -> None:
        pad = [""] * _BEYOND
        forms = sentence.forms
        self.n = len(forms)
        self.forms = [*forms, *pad]
        self.words = [*[form.lower() for form in forms], *pad]
        """In lower case."""
        self.tags = [*sentence.tags, *pad]
        self.kinds = [*[mark[2:] for mark in sentence.entities], *pad]
        """Of the named entity that a token is in."""
        self.lemmas = sentence.lemmas

    def is_name(self, i: int) -> bool:
        """Whether a figure is part of a name or a score: Boeing 747, Channel 4."""
        if self.kinds[i] in NAMES or self.tags[i] in ("NNP", "NNPS"):
            return True
        before = self.words[i - 1]
        if before in HYPHENS or before == "/":
            return self.tags[i - 2] in ("NNP", "NN", "CD")
        if self.tags[i - 1] != "NNP" or self.kinds[i]:
            return False
        return self.words[i][:1].isdigit() and self.tags[i + 1] not in ("NNS", "NN", "CD")
