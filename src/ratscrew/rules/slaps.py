"""The slap patterns, one function each, in reading order. A new pattern goes here and nowhere else."""

from __future__ import annotations

from ratscrew.rules.pattern import slap


@slap(yes=["9S 9H", "4C 5S 5D", "KS KD"], no=["9S 8S", "5S 7D 5H", "9C* 9S", "5S 5H*"])
def double(top: int, under: int) -> bool:
    """Two cards of one rank on each other."""
    return top == under


@slap(yes=["5S 7D 5H", "QS KD QH", "2C 5S AD 5H"], no=["5S 5D 5H", "5S 9D 2H 5C", "5S 9H* 5D", "5S 7D"])
def sandwich(top: int, filling: int, under: int) -> bool:
    """Two cards of one rank with one card of another rank between them."""
    return top == under != filling
