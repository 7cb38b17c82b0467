"""Runs any recognizer over any number of pairs, so that nothing is lost and nothing is done twice."""

from ensue.engine.jobs.encoding import RunFormat
from ensue.engine.running import Spread
from ensue.engine.runs.judging import Account, judge_source
from ensue.engine.watching import Snapshot, State

__all__ = ["Account", "RunFormat", "Snapshot", "Spread", "State", "judge_source"]
