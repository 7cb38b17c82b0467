from .builder import build_graphs as build_graphs
from .graph import Graph as Graph, Sort as Sort
from .parse import RELATIVE_TAGS as RELATIVE_TAGS, Parse as Parse, parse_of as parse_of
