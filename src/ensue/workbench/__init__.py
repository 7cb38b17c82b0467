"""What people keep and share: trials, data sets, runs; in a database, with accounts.

It knows nothing of the web: `ensue.web` shows it, and a program may use it as well.
"""

from ensue.workbench.accounts.people import Person, Role
from ensue.workbench.settings import Limits
from ensue.workbench.workbench import Workbench, open_workbench

__all__ = ["Limits", "Person", "Role", "Workbench", "open_workbench"]
