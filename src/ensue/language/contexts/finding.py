"""All contexts of a sentence, each topic after those that it builds on."""

from __future__ import annotations

from ensue.language.analysis import Sentence
from ensue.language.contexts.clauses import read_tree
from ensue.language.contexts.commitment import Known, find_commitments
from ensue.language.contexts.embedding import find_embeddings
from ensue.language.contexts.modality import find_modalities, find_tenses
from ensue.language.contexts.model import Contexts
from ensue.language.contexts.monotonicity import find_monotonicity
from ensue.language.contexts.negation import find_negation
from ensue.language.contexts.quantity import find_quantities


def find_contexts(sentence: Sentence) -> Contexts:
    """The negations, quantities, modalities, tenses and embeddings of a sentence, with their scope."""
    tree = read_tree(sentence)
    negation = find_negation(tree)
    embeddings = find_embeddings(tree)
    quantities = find_quantities(tree, negation, embeddings)
    modalities = find_modalities(tree, negation.polarity, embeddings)
    known = Known(tree, negation, quantities.quantities, embeddings, modalities)
    return Contexts(
        tuple(negation.polarity),
        tuple(negation.negators),
        tuple(find_monotonicity(known, quantities)),
        tuple(quantities.quantities),
        tuple(quantities.quantifiers),
        tuple(modalities.modalities),
        tuple(modalities.modals),
        tuple(find_tenses(tree, embeddings)),
        tuple(embeddings.classes),
        tuple(embeddings.embedders),
        tuple(find_commitments(known)),
    )
