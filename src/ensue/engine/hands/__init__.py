"""Hands: processes that do the work, and what is done when one of them dies."""

from ensue.engine.hands.hand import Hand, HandDied
from ensue.engine.hands.messages import IDLE, Call, Message, receive, send

__all__ = ["IDLE", "Call", "Hand", "HandDied", "Message", "receive", "send"]
