from .app import main as main
from .diagnostics import shown_size as shown_size
