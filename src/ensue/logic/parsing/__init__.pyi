from .parser import Parsed as Parsed, parse as parse
