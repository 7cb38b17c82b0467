"""The workbench in the browser. It holds no logic: pages ask the library, and have a `.json` twin."""

from ensue.web.app import create_app
from ensue.web.settings import WebSettings

__all__ = ["WebSettings", "create_app"]
