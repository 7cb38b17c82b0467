from ensue.pairs import Pair
from ensue.recognizers import logic as reading_module


def test_reader_reads_again_what_it_has_forgotten(monkeypatch, logic):
    monkeypatch.setattr(reading_module, "_REMEMBERED", 2)
    monkeypatch.setattr(reading_module, "_CHUNK", 2)
    pairs = [Pair(f"{i}", f"Boat {i} sank.", "A boat sank.") for i in range(6)]
    once = [logic.judge([pair])[0] for pair in pairs]
    assert logic.judge([*pairs, *pairs]) == [*once, *once]
