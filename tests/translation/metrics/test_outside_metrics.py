"""sacreBLEU's metrics beside ours."""

import sys

import pytest
import sacrebleu
from tests.errors import coded

from ensue.errors import SettingError
from ensue.installation import install_extra
from ensue.translation.metrics import load_metric
from ensue.translation.systems import Segment

OUTPUT = "There is a cat on the mat, isn't there?"
REFERENCES = ("A cat sat on the mat, didn't it?", "There was a cat on a mat.")
SEGMENT = Segment("", "1", REFERENCES, {"A": OUTPUT})
SCORERS = {
    "sacrebleu": (sacrebleu.BLEU(effective_order=True), 1),
    "sacrebleu-ter": (sacrebleu.TER(), -1),
    "chrf": (sacrebleu.CHRF(), 1),
    "chrf++": (sacrebleu.CHRF(word_order=2), 1),
}


@pytest.mark.parametrize("name", SCORERS)
def test_score_is_that_of_sacrebleu(name):
    scorer, sign = SCORERS[name]
    expected = sign * scorer.sentence_score(OUTPUT, list(REFERENCES)).score
    assert load_metric(name).scores([SEGMENT]).tolist() == [expected]


@pytest.mark.parametrize("name", SCORERS)
def test_signature_is_that_of_sacrebleu(name):
    scorer, _ = SCORERS[name]
    scorer.sentence_score(OUTPUT, list(REFERENCES))
    metric = load_metric(name).informed([REFERENCES])
    assert metric.signature == f"{name}|{scorer.get_signature()}"
    assert "nrefs:2" in metric.signature


def test_signature_says_that_numbers_of_references_differ():
    metric = load_metric("chrf").informed([REFERENCES, REFERENCES[:1]])
    assert "nrefs:var" in metric.signature


@pytest.mark.parametrize("name", SCORERS)
def test_metric_without_sacrebleu_says_how_to_install_it(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(SettingError, check=coded("metric-needs-sacrebleu-not")) as caught:
        load_metric(name)
    assert caught.value.hint == f"run: {install_extra('sacrebleu')}"
