"""Programs as recognizers: those that behave, and all the ways in which they do not."""

import gc
import json
import os
import shlex
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from tests.errors import coded

import ensue
from ensue.cli.app import run
from ensue.errors import RunError, SettingError, UnknownNameError
from ensue.pairs import Label, Pair, Status, View, load_pairs, read_run

HEAD = """
import json, os, sys, time
pairs = (json.loads(line) for line in sys.stdin)
def say(pair_id, label="entailment", **more):
    print(json.dumps({"pair_id": pair_id, "label": label, **more}), flush=True)
"""

THREE = [Pair(name, f"text {name}", f"hypothesis {name}") for name in "abc"]


def command(path, *arguments):
    return "command:" + shlex.join([sys.executable, str(path), *map(str, arguments)])


@pytest.fixture
def program(tmp_path):
    """Write a program and give the recognizer that it is, unguarded unless asked otherwise."""

    def made(code, *arguments, **settings):
        path = tmp_path / "program.py"
        path.write_text(HEAD + textwrap.dedent(code), encoding="utf-8")
        given = {"guard": False, "time_limit": 20, **settings}
        return ensue.load(command(path, *arguments), given)

    return made


def ids(verdicts, status=Status.DECIDED):
    return [verdict.pair_id for verdict in verdicts if verdict.status is status]


def reasons(verdicts):
    return {verdict.pair_id: verdict.reason for verdict in verdicts if verdict.reason}


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_program_is_sent_the_pair_without_its_gold(program):
    pair = Pair("1", "a", "b", Label.ENTAILMENT, "QA", {"group": [1, None]})
    recognizer = program("for pair in pairs: say(pair['id'], None, reason=json.dumps(pair))")
    sent = json.loads(recognizer.judge([pair])[0].reason)
    assert sent == {
        "id": "1",
        "text": "a",
        "hypothesis": "b",
        "task": "QA",
        "meta": {"group": [1, None]},
    }


def test_answer_becomes_a_verdict(program):
    recognizer = program("for pair in pairs: say(pair['id'], 'unknown', score=-2, confidence=0.5)")
    assert recognizer.judge(THREE[:1]) == [ensue.Verdict("a", Label.UNKNOWN, -2.0, 0.5)]


def test_shipped_program_agrees_with_our_overlap(root, examples):
    # the same share of words, split at white space and without their punctuation's help
    pairs = load_pairs(examples)
    with_program = ensue.load(command(root / "examples" / "word_overlap_program.py")).judge(pairs)
    for pair, verdict in zip(pairs, with_program, strict=True):
        words = pair.hypothesis.lower().split()
        n_found = sum(word in pair.text.lower().split() for word in words)
        assert verdict.score == pytest.approx(n_found / len(words), abs=1e-12)
        assert (verdict.label is Label.ENTAILMENT) == (n_found / len(words) > 0.65)


def test_answers_in_another_order_find_their_pairs(program):
    recognizer = program("""
        batch = [next(pairs) for _ in range(3)]
        for pair in reversed(batch): say(pair["id"], reason="", score=ord(pair["id"]))
    """)
    assert [verdict.score for verdict in recognizer.judge(THREE)] == [97.0, 98.0, 99.0]


def test_answers_without_ids_are_in_order(program):
    recognizer = program("""
        for pair in pairs: print(json.dumps({"label": "unknown", "score": ord(pair["id"])}))
    """)
    assert [verdict.score for verdict in recognizer.judge(THREE)] == [97.0, 98.0, 99.0]


def test_answer_may_call_the_id_as_the_pair_does(program):
    recognizer = program("""
        batch = [next(pairs) for _ in range(3)]
        for pair in reversed(batch):
            print(json.dumps({"id": pair["id"], "label": "unknown", "score": ord(pair["id"])}))
    """)
    assert [verdict.score for verdict in recognizer.judge(THREE)] == [97.0, 98.0, 99.0]


def test_pairs_with_the_same_id_get_their_own_answers(program):
    twins = [Pair("a", "1", ""), Pair("a", "2", ""), Pair("b", "3", "")]
    recognizer = program("for pair in pairs: say(pair['id'], score=int(pair['text']))")
    assert [verdict.score for verdict in recognizer.judge(twins)] == [1.0, 2.0, 3.0]


def test_program_is_started_once_and_not_before_it_is_asked(program, tmp_path):
    recognizer = program("""
        open(sys.argv[1], "a").write("started ")
        for pair in pairs: say(pair["id"])
    """, tmp_path / "starts", batch=2)  # fmt: skip
    assert recognizer.judge([]) == []
    assert not (tmp_path / "starts").exists()
    for _ in range(3):
        assert len(ids(recognizer.judge(THREE))) == 3
    assert (tmp_path / "starts").read_text() == "started "


def test_program_is_given_batches(program):
    recognizer = program("""
        while batch := [next(pairs), next(pairs)]:
            for pair in batch: say(pair["id"])
    """, batch=2)  # fmt: skip
    many = [Pair(str(i), "", "") for i in range(10)]
    assert ids(recognizer.judge(many)) == [pair.id for pair in many]


def test_big_batch_does_not_fill_the_pipes(program):
    # a megabyte each way, and the program answers before it has read everything
    recognizer = program("for pair in pairs: say(pair['id'], explanation='x' * 1000)", batch=1000)
    many = [Pair(str(i), "y" * 1000, "z") for i in range(1000)]
    assert len(ids(recognizer.judge(many))) == 1000


def test_program_that_talks_much_on_standard_error_does_not_block(program, capsys):
    recognizer = program("""
        for pair in pairs:
            sys.stderr.write("noise " * 50_000 + "\\n")
            say(pair["id"])
    """)
    assert len(ids(recognizer.judge(THREE))) == 3
    assert "noise" in capsys.readouterr().err


def test_words_of_other_scripts_come_through(program):
    odd = ["Ünïcödé 猫 🐈", "\u2028", "\ud800", 'a "quoted" \\ line\nand a second']
    pairs = [Pair(f"{i}{text}", text, text) for i, text in enumerate(odd)]
    recognizer = program("""
        for pair in pairs: say(pair["id"], None, reason=pair["text"] + pair["hypothesis"])
    """)
    verdicts = recognizer.judge(pairs)
    assert [verdict.reason for verdict in verdicts] == [text * 2 for text in odd]


def test_unescaped_utf_8_is_read(program):
    recognizer = program("""
        for pair in pairs:
            line = json.dumps({"pair_id": pair["id"], "label": "Ja"}, ensure_ascii=False)
            sys.stdout.buffer.write(line.encode() + b"\\n"); sys.stdout.flush()
    """, labels={"ja": "entailment", "nein": "not-entailment"})  # fmt: skip
    assert recognizer.judge([Pair("猫", "", "")])[0].label is Label.ENTAILMENT


def test_labels_are_mapped(program):
    labels = "0=entailment,1=unknown,2=contradiction"
    recognizer = program(
        "for i, pair in enumerate(pairs): say(pair['id'], [0, '1', 2][i])", labels=labels
    )
    wanted = [Label.ENTAILMENT, Label.UNKNOWN, Label.CONTRADICTION]
    assert [verdict.label for verdict in recognizer.judge(THREE)] == wanted
    assert recognizer.signature.view is View.THREE_WAY
    assert recognizer.signature.settings["labels"] == labels


def test_label_that_nobody_mapped_fails_with_the_known_ones(program):
    recognizer = program("for pair in pairs: say(pair['id'], 'maybe')", labels="yes=entailment")
    verdict = recognizer.judge(THREE[:1])[0]
    assert verdict.status is Status.FAILED
    assert verdict.reason == (
        "nobody said what the label 'maybe' means (known: yes); use -s labels=…"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        ({"label": None}, "abstained", "the answer's label is null"),
        ({"label": None, "status": "budget-exhausted"}, "budget-exhausted", "no reason"),
        ({"label": None, "status": "failed", "reason": "out of memory"}, "failed", "out of memory"),
        ({}, "failed", "the answer has no label"),
        ({"label": "unknown", "confidence": 7}, "failed", r"confidence 7.0 is not in \[0, 1\]"),
        ({"label": "unknown", "score": "high"}, "failed", "score 'high' is not a number"),
        ({"label": "unknown", "status": "failed"}, "failed", "does not go with status"),
        ({"label": None, "status": "tired"}, "failed", "'tired' is not a valid Status"),
    ],
)
def test_answer_without_a_decision_says_why(program, answer, status, reason):
    recognizer = program(f"for pair in pairs: print(json.dumps({{'pair_id': 'a', **{answer}}}))")
    verdict = recognizer.judge(THREE[:1])[0]
    assert (verdict.label, verdict.status) == (None, status)
    with pytest.raises(ValueError, match=reason):
        raise ValueError(verdict.reason)


def test_program_that_does_not_exist_is_an_error_before_anything_is_judged():
    with pytest.raises(SettingError, match="there is no program called 'no-such-program'"):
        ensue.load("command:no-such-program --fast")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("command:", "there is no command"),
        ("command:  ", "there is no command"),
        ("command:python 'x", 'cannot read the command "python \'x": no closing quotation'),
    ],
)
def test_command_that_is_none_is_an_error(command, message):
    with pytest.raises(SettingError, match=message):
        ensue.load(command)


def test_file_that_cannot_be_run_is_an_error(tmp_path):
    (tmp_path / "empty").write_bytes(b"\0\0\0\0")
    (tmp_path / "empty").chmod(0o755)
    with pytest.raises(SettingError, match=r"cannot start .*: Exec format error"):
        ensue.load(f"command:{tmp_path / 'empty'}", {"guard": False}).judge(THREE)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"batch": 0}, "a batch of 0 pairs makes no sense"),
        ({"time_limit": 0}, "a time limit of 0 s makes no sense"),
        ({"time_limit": "nan"}, "a time limit of nan s makes no sense"),
        ({"restarts": -1}, "-1 restarts make no sense"),
        ({"guard": "perhaps"}, "setting 'guard' cannot be 'perhaps'"),
        ({"labels": "0=maybe"}, "labels cannot have '0=maybe' in them"),
        ({"labels": "entailment"}, "labels cannot have '=entailment' in them"),
        ({"labels": "a=unknown,A=entailment"}, "labels have the name 'A' twice"),
        ({"labels": {}}, "labels are empty"),
    ],
)
def test_setting_that_makes_no_sense_is_an_error(settings, message):
    with pytest.raises(SettingError, match=message):
        ensue.load("command:true", settings)


def test_unknown_setting_is_an_error():
    with pytest.raises(UnknownNameError, match="no setting is called 'timeout'"):
        ensue.load("command:true", {"timeout": 3})


def test_program_that_exits_at_once_fails_every_pair_with_its_last_words(program, tmp_path):
    recognizer = program("""
        open(sys.argv[1], "a").write("started ")
        sys.exit("cannot find the weights")
    """, tmp_path / "starts", restarts=2)  # fmt: skip
    many = [Pair(str(i), "", "") for i in range(200)]
    verdicts = recognizer.judge(many)
    assert ids(verdicts, Status.FAILED) == [pair.id for pair in many]
    assert reasons(verdicts)["0"] == "the program ended with exit code 1: cannot find the weights"
    assert "given up after that happened 3 times in a row" in reasons(verdicts)["199"]
    assert (tmp_path / "starts").read_text() == "started " * 3


def test_program_that_dies_on_a_pair_fails_that_pair_alone(program):
    recognizer = program("""
        for pair in pairs:
            if pair["id"] in "3 7": os.kill(os.getpid(), 9)
            say(pair["id"])
    """)
    verdicts = recognizer.judge([Pair(str(i), "", "") for i in range(10)])
    assert ids(verdicts) == list("01245689")
    assert reasons(verdicts) == dict.fromkeys("37", "the program was ended by SIGKILL")


def test_program_that_answers_one_pair_and_ends_is_started_for_each(program):
    recognizer = program("say(next(pairs)['id']); time.sleep(0.1)", restarts=1)
    assert ids(recognizer.judge(THREE)) == list("abc")
    assert ids(recognizer.judge(THREE)) == list("abc")


def test_program_that_hangs_fails_the_pair_it_hangs_on(program):
    recognizer = program("""
        for pair in pairs:
            if pair["id"] == "b": time.sleep(1000)
            say(pair["id"])
    """, time_limit=0.5)  # fmt: skip
    verdicts = recognizer.judge(THREE)
    assert ids(verdicts) == ["a", "c"]
    assert reasons(verdicts)["b"].startswith("no answer within 0.5 s")


def test_program_that_never_answers_is_given_up(program):
    recognizer = program("sys.stdin.read(); time.sleep(1000)", time_limit=0.1, restarts=1)
    verdicts = recognizer.judge([Pair(str(i), "", "") for i in range(500)])
    assert len(ids(verdicts, Status.FAILED)) == 500
    assert "given up after that happened 2 times in a row" in verdicts[-1].reason


def test_program_that_does_not_read_does_not_block_us(program):
    recognizer = program("time.sleep(1000)", time_limit=0.2, restarts=0)
    verdicts = recognizer.judge([Pair(str(i), "x" * 100_000, "") for i in range(64)])
    assert len(ids(verdicts, Status.FAILED)) == 64


@pytest.mark.parametrize(
    "rubbish", ["hello", "[]", "{}", "7", "null", '{"pair_id": ', "\\xff", "[" * 5000]
)
def test_rubbish_fails_the_pair_it_stands_for(program, rubbish):
    recognizer = program(f"""
        for pair in pairs:
            if pair["id"] == "b":
                sys.stdout.buffer.write(b'{rubbish}' + b"\\n"); sys.stdout.flush()
            else: say(pair["id"])
    """)
    verdicts = recognizer.judge(THREE)
    assert ids(verdicts) == ["a", "c"]
    assert "which is no answer" in reasons(verdicts)["b"]


def test_rubbish_never_shifts_answers_without_ids(program):
    recognizer = program("""
        for pair in pairs:
            if pair["id"] == "b": print("oh no", flush=True)
            else: print(json.dumps({"label": "unknown", "score": ord(pair["id"])}), flush=True)
    """)
    assert [verdict.score for verdict in recognizer.judge(THREE)] == [97.0, None, 99.0]


def test_endless_rubbish_is_given_up():
    verdicts = ensue.load("command:yes", {"guard": False}).judge(THREE)
    assert len(ids(verdicts, Status.FAILED)) == 3


def test_endless_line_is_given_up(program):
    recognizer = program("while True: sys.stdout.write('x' * 100_000)", restarts=0)
    verdicts = recognizer.judge(THREE)
    assert "a line of more than 16,777,216 bytes" in verdicts[0].reason


def test_pair_that_is_answered_twice_fails(program):
    recognizer = program("""
        for pair in pairs:
            line = json.dumps({"pair_id": pair["id"], "label": "unknown"}) + "\\n"
            sys.stdout.write(line * (1 + (pair["id"] in "ac"))); sys.stdout.flush()
    """)
    verdicts = recognizer.judge(THREE)
    assert ids(verdicts) == ["b"]
    assert reasons(verdicts) == dict.fromkeys("ac", "the program answered this pair twice")


def test_pair_that_is_answered_without_end_fails(program):
    recognizer = program("while True: say('a')", restarts=0)
    assert reasons(recognizer.judge(THREE[:1])) == {"a": "the program answered this pair twice"}
    verdicts = program("while True: say('a')", restarts=0).judge(THREE)
    assert "again and again" in verdicts[1].reason


def test_answer_that_nobody_asked_is_an_error(program):
    recognizer = program("for pair in pairs: say('x' + pair['id'])")
    with pytest.raises(RunError, match="answers pair 'xa', which it was not asked now"):
        recognizer.judge(THREE)


def test_more_answers_than_pairs_without_ids_are_an_error(program):
    recognizer = program("""
        for pair in pairs: sys.stdout.write('{"label": "unknown"}\\n' * 2); sys.stdout.flush()
    """)
    with pytest.raises(RunError, check=coded("program-gives-more-answers")):
        recognizer.judge(THREE)


def test_answers_to_some_pairs_leave_the_others_failed(program):
    recognizer = program("""
        for pair in pairs:
            if pair["id"] != "b": say(pair["id"])
    """, time_limit=0.5)  # fmt: skip
    verdicts = recognizer.judge(THREE)
    assert ids(verdicts) == ["a", "c"]
    assert ids(verdicts, Status.FAILED) == ["b"]


def test_last_line_without_its_end_counts(program):
    recognizer = program("""
        for pair in pairs:
            sys.stdout.write(json.dumps({"pair_id": pair["id"], "label": "unknown"}))
            break
    """)
    assert ids(recognizer.judge(THREE[:1])) == ["a"]


def test_standard_error_passes_through(program, capsys):
    recognizer = program("for pair in pairs: sys.stderr.write('loud\\n'); say(pair['id'])")
    assert len(ids(recognizer.judge(THREE))) == 3
    assert capsys.readouterr().err == "loud\n" * 3


@pytest.fixture
def sleeper(program, tmp_path):
    """A recognizer whose program tells its process id and does not end with its input."""
    path = tmp_path / "pid"
    recognizer = program("""
        open(sys.argv[1], "w").write(str(os.getpid()))
        for pair in pairs: say(pair["id"])
    """, path)  # fmt: skip
    recognizer.judge(THREE)
    return [recognizer], int(path.read_text())


def test_program_ends_when_it_is_closed(sleeper):
    (recognizer,), pid = sleeper
    assert is_there(pid)
    recognizer.close()
    assert not is_there(pid)  # a zombie would still be there
    assert len(ids(recognizer.judge(THREE))) == 3


def test_program_ends_when_the_recognizer_is_gone(sleeper):
    held, pid = sleeper
    gc.disable()  # without the help of the collector
    try:
        held.clear()
        assert not is_there(pid)
    finally:
        gc.enable()


def test_program_that_ignores_the_end_of_its_input_is_killed_with_its_children(program, tmp_path):
    recognizer = program("""
        import subprocess
        child = subprocess.Popen(["sleep", "1000"])
        open(sys.argv[1], "w").write(f"{os.getpid()} {child.pid}")
        for pair in pairs: say(pair["id"])
        time.sleep(1000)
    """, tmp_path / "pids")  # fmt: skip
    recognizer.judge(THREE)
    recognizer.close()
    parent, child = map(int, (tmp_path / "pids").read_text().split())
    assert not is_there(parent)
    deadline = time.monotonic() + 5
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(child)


def is_running(pid):
    """Whether a process that is not ours to wait for still runs."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize(
    "ending", ["raise ValueError", "os.kill(os.getpid(), signal.SIGINT); time.sleep(5)", "pass"]
)
def test_program_ends_when_we_end(tmp_path, ending):
    (tmp_path / "program.py").write_text(
        HEAD + f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "for pair in pairs: say(pair['id'])\ntime.sleep(1000)\n"
    )
    ours = f"""
        import ensue, os, signal, time
        recognizer = ensue.load({command(tmp_path / "program.py")!r}, {{"guard": False}})
        recognizer.judge([ensue.Pair("1", "", "")])
        {ending}
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(ours)], capture_output=True, timeout=30)
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_interrupt_while_a_program_is_busy_ends_it(tmp_path):
    (tmp_path / "program.py").write_text(
        HEAD + f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\ntime.sleep(1000)\n"
    )
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"id": "1", "text": "a", "hypothesis": "b"}\n')
    arguments = ["judge", str(pairs), "-r", command(tmp_path / "program.py"), "-s", "guard=no"]
    ours = subprocess.Popen(
        [sys.executable, "-m", "ensue.cli", *arguments], stderr=subprocess.PIPE, text=True
    )
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        time.sleep(0.01)
    ours.send_signal(signal.SIGINT)
    assert ours.communicate(timeout=20)[1].strip() == "interrupted"
    assert ours.returncode == 130
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_signature_has_the_hash_of_the_files_that_the_command_names(tmp_path):
    program, weights = tmp_path / "program.py", tmp_path / "weights"
    program.write_text("pass")

    def signature(content):
        weights.write_text(content)
        return ensue.load(command(program, f"--model={weights}")).signature

    first = signature("1 2 3")
    assert signature("1 2 3") == first
    assert signature("3 2 1") != first
    assert "sha256" not in ensue.load("command:true").signature.settings


def test_very_long_command_is_not_taken_for_a_path():
    assert ensue.load("command:true " + "x" * 5000).signature.recognizer == "command"


def test_explanation_is_the_programs_own(program):
    recognizer = program("""
        for pair in pairs:
            told = {"a": {"explanation": "because"}, "b": {"explanation": ["one", "two"]},
                    "c": {"reason": "for this"}, "d": {}, "e": {"label": "odd"}}
            say(pair["id"], **{"label": "unknown", **told[pair["id"]]})
    """)
    shown = {
        name: [(step.what, step.how) for step in recognizer.explain(Pair(name, "", "")).evidence.steps]
        for name in "abcde"
    }  # fmt: skip
    decision = ("decision", "the answer 'unknown' means unknown")
    assert shown["a"] == [("explanation", "because"), decision]
    assert shown["b"] == [("explanation", "one"), ("explanation", "two"), decision]
    assert shown["c"] == [("explanation", "for this"), decision]
    assert shown["d"] == [decision]
    assert shown["e"][0][0] == "failed"


def test_guard_is_not_held_against_a_program(program, tmp_path):
    recognizer = program("""
        open(sys.argv[1], "a").write("started ")
        for pair in pairs: say(pair["id"], score=pair["meta"]["number"])
    """, tmp_path / "starts", guard=True, restarts=0)  # fmt: skip
    numbered = [Pair(str(i), "", "", meta={"number": i}) for i in range(5)]
    assert [verdict.score for verdict in recognizer.judge(numbered)] == [0, 1, 2, 3, 4]
    assert (tmp_path / "starts").read_text() == "started started "


def test_obvious_pairs_are_asked_once(program, tmp_path):
    recognizer = program("""
        for pair in pairs:
            open(sys.argv[1], "a").write(pair["id"] + "\\n")
            say(pair["id"])
    """, tmp_path / "asked", guard=True)  # fmt: skip
    for _ in range(2):
        recognizer.judge(THREE)
    asked = (tmp_path / "asked").read_text().split()
    assert asked[12:] == list("abcabc")
    assert all(name.startswith("obvious-") for name in asked[:12])


def test_command_line_judges_with_a_program(root, examples, tmp_path, capsys):
    target, named = tmp_path / "run.jsonl", command(root / "examples" / "word_overlap_program.py")
    assert run(["judge", str(examples), "-r", named, "-o", str(target)]) == 0
    found = read_run(target)
    assert found.verdicts == tuple(ensue.load(named).judge(load_pairs(examples)))
    assert "56 decided" in capsys.readouterr().err


def test_command_line_stops_at_labels_in_another_order(root, examples, tmp_path, capsys):
    target, named = tmp_path / "run.jsonl", command(root / "examples" / "word_overlap_program.py")
    swapped = ["-s", "labels=entailment=not-entailment,not-entailment=entailment"]
    arguments = ["judge", str(examples), "-r", named, "-o", str(target), *swapped]
    assert run(arguments) == 3
    shown = capsys.readouterr().err
    assert "fit 0% of the obvious pairs" in shown
    assert "-s", "guard=no" in shown
    assert list(tmp_path.iterdir()) == []
    assert run([*arguments, "-s", "guard=no"]) == 0
    assert len(read_run(target).verdicts) == 56


def test_command_line_refuses_labels_for_our_own_recognizers(examples, capsys):
    assert run(["judge", str(examples), "-r", "bleu", "-s", "labels=0=entailment"]) == 3
    assert "no setting is called 'labels'" in capsys.readouterr().err


def test_command_line_does_not_train_a_program(examples, tmp_path, capsys):
    assert run(["train", str(examples), "-r", "command:true", "-o", str(tmp_path / "kept")]) == 3
    assert "has nothing to learn" in capsys.readouterr().err
