"""Put candidates into the order that DIMPLE rewards most, given their qualities."""

from ensue.paraphrase.reranking.ordering import MOST_EXACT, Reranked, Way, rerank

__all__ = ["MOST_EXACT", "Reranked", "Way", "rerank"]
