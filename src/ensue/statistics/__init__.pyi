from .agreement import (
    NO_LABEL as NO_LABEL,
    AnnotatorAgreement as AnnotatorAgreement,
    alpha_estimate as alpha_estimate,
    alpha_statistics as alpha_statistics,
    annotator_agreement as annotator_agreement,
    krippendorff_alpha as krippendorff_alpha,
)
from .correlation import (
    LEAST as LEAST,
    WEIGHTED as WEIGHTED,
    Coefficient as Coefficient,
    GroupedVariables as GroupedVariables,
    TwoVariables as TwoVariables,
    fisher_mean as fisher_mean,
    pearson as pearson,
    pearson_within as pearson_within,
    r_of_moments as r_of_moments,
    share_between as share_between,
    standardized as standardized,
)
from .correlation_tests import (
    DependentTest as DependentTest,
    PMethod as PMethod,
    Williams as Williams,
    correlation_p as correlation_p,
    critical_correlation as critical_correlation,
    meng as meng,
    steiger as steiger,
    student_p as student_p,
    williams as williams,
    zou_interval as zou_interval,
)
from .intervals import (
    DRAWS as DRAWS,
    LEVEL as LEVEL,
    Replicates as Replicates,
    check_resampling as check_resampling,
    estimate as estimate,
    estimate_of as estimate_of,
    percentile_interval as percentile_interval,
    ratios as ratios,
    replicates as replicates,
    resampled_sums as resampled_sums,
    share_estimate as share_estimate,
    summed_by as summed_by,
    wilson_interval as wilson_interval,
)
from .ranks import (
    Counts as Counts,
    Numbers as Numbers,
    TiedRanking as TiedRanking,
    cws_weights as cws_weights,
    expected_average_precision as expected_average_precision,
    expected_cws as expected_cws,
    expected_reciprocal_rank as expected_reciprocal_rank,
    ranking as ranking,
)
from .significance import cluster_spans as cluster_spans, differing as differing
