from .network import (
    ORDER as ORDER,
    LogOdds as LogOdds,
    PairNetwork as PairNetwork,
    read_bundle as read_bundle,
    shipped_network as shipped_network,
)
