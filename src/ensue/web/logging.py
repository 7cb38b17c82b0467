"""The server's log: a line a request, for people or for programs, without texts or secrets."""

from __future__ import annotations

import json
import logging
import sys
import time

from ensue.web.guarding import LOG

_FIELDS = ("method", "route", "status", "seconds", "submission", "challenge", "state")


def log_to_stderr(*, as_json: bool, quiet: bool) -> None:
    """Write the log to standard error; with quiet, warnings and errors only."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if as_json else _Plain())
    for logger in (logging.getLogger("ensue"), logging.getLogger("uvicorn.error")):
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(logging.WARNING)
    LOG.setLevel(logging.WARNING if quiet else logging.INFO)


def _facts(record: logging.LogRecord) -> dict[str, object]:
    return {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **_facts(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class _Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%H:%M:%S", time.gmtime(record.created))
        facts = " ".join(f"{value}" for value in _facts(record).values())
        shown = f"{at} {record.getMessage()} {facts}".rstrip()
        return f"{shown}\n{self.formatException(record.exc_info)}" if record.exc_info else shown
