from .connection import Database as Database, migrate as migrate
from .models import MappedTable as MappedTable, now as now
