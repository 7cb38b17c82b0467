from .bleu import (
    HIGHEST_ORDER as HIGHEST_ORDER,
    BleuScorer as BleuScorer,
    Information as Information,
    Mean as Mean,
    NgramStatistics as NgramStatistics,
    NistStatistics as NistStatistics,
    count_information as count_information,
    ngram_and_nist_statistics as ngram_and_nist_statistics,
    ngram_statistics as ngram_statistics,
    nist_statistics as nist_statistics,
    segment_statistics as segment_statistics,
)
from .coverage import (
    FUNCTION_WORDS as FUNCTION_WORDS,
    InverseDocumentFrequency as InverseDocumentFrequency,
    counted_words as counted_words,
    inverse_document_frequency as inverse_document_frequency,
    is_function_word as is_function_word,
    word_coverage as word_coverage,
)
from .interning import (
    EMPTY as EMPTY,
    FREE as FREE,
    HASH_SEED as HASH_SEED,
    DistinctRows as DistinctRows,
    KeySet as KeySet,
    grown as grown,
    key_slot as key_slot,
    key_table as key_table,
    mixed as mixed,
    pair_key as pair_key,
    row_hash as row_hash,
    row_slot as row_slot,
    stamped_slot as stamped_slot,
)
from .lexical_translation import (
    TranslationModel as TranslationModel,
    Translations as Translations,
    TranslationTable as TranslationTable,
    train_translation as train_translation,
    translations as translations,
)
from .stemmer import stemmed as stemmed, stems as stems
from .ter import (
    COST_SETTINGS as COST_SETTINGS,
    UNIFORM as UNIFORM,
    EditCosts as EditCosts,
    EditStatistics as EditStatistics,
    edit_statistics as edit_statistics,
)
from .tokenizers import (
    MTEVAL_13A as MTEVAL_13A,
    WHITESPACE as WHITESPACE,
    WORDS as WORDS,
    Located as Located,
    SegmentTokens as SegmentTokens,
    Tokenizer as Tokenizer,
    Tokens as Tokens,
    located_tokens as located_tokens,
    scan_joined as scan_joined,
    tokenize as tokenize,
    tokenize_segments as tokenize_segments,
    tokenize_sides as tokenize_sides,
)
