"""The hash of pairs that is had from those of its parts."""

from __future__ import annotations

from hashlib import blake2b, sha256

from ensue.pairs import Pair, PairHash, pairs_hash
from ensue.pairs.runs import _HASH_BASE as BASE

PRIME = 2**127 - 1


def digest(said: str) -> int:
    return int.from_bytes(blake2b(said.encode(), digest_size=16).digest(), "big")


def test_pair_hash_is_the_polynomial_of_the_digests():
    pairs = [Pair("1", "a", "b"), Pair("2", "c", "d"), Pair("3", "e", "f")]
    first, second, third = (
        digest("1\x1fa\x1fb\x1e"),
        digest("2\x1fc\x1fd\x1e"),
        digest("3\x1fe\x1ff\x1e"),
    )
    value = (first * BASE**2 + second * BASE + third) % PRIME
    total = PairHash()
    for pair in pairs:
        total.add(pair)
    assert total.state() == {"pairs": 3, "value": f"{value:032x}"}
    assert total.hexdigest() == sha256(f"3:{value:032x}".encode()).hexdigest()


def test_pair_hash_of_nothing_is_not_that_of_something():
    assert PairHash().hexdigest() == pairs_hash([]) == sha256(f"0:{0:032x}".encode()).hexdigest()


def test_pair_hash_takes_half_characters():
    assert len(pairs_hash([Pair("1", "\ud800", "b")])) == 64


def test_pair_hash_base_is_below_the_prime_and_not_trivial():
    assert 2**96 < BASE < PRIME
