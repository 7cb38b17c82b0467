"""Challenges, as PASCAL's organizers ran them: invitations, runs, a leaderboard.

Development data with gold, test data whose gold nobody sees, a few runs for each team (Dagan,
Glickman & Magnini 2005, section 3).
"""

from ensue.workbench.challenges.boards import Board, BoardEntry
from ensue.workbench.challenges.finding import ChallengeRecord, challenges_for, find_challenge
from ensue.workbench.challenges.joining import invite, join
from ensue.workbench.challenges.making import Rules, State, make_challenge, publish
from ensue.workbench.challenges.submitting import (
    SubmissionRecord,
    submissions_for,
    submit,
    withdraw,
)

__all__ = [
    "Board",
    "BoardEntry",
    "ChallengeRecord",
    "Rules",
    "State",
    "SubmissionRecord",
    "challenges_for",
    "find_challenge",
    "invite",
    "join",
    "make_challenge",
    "publish",
    "submissions_for",
    "submit",
    "withdraw",
]
