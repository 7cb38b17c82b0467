"""Runs any recognizer over many pairs, so that nothing is lost and nothing is done twice."""

from ensue.engine.judging import Account, judge_file, judge_stream, judge_to_stream

__all__ = ["Account", "judge_file", "judge_stream", "judge_to_stream"]
