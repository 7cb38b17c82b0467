from .cascade import CASCADE as CASCADE, Normalized as Normalized, normalize as normalize
from .draft import RewriteStep as RewriteStep, Rule as Rule, SemanticSort as SemanticSort
