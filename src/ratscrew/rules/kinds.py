"""Derives from the type of an option or parameter what may be chosen for it."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from msgspec import Struct
from msgspec.inspect import BoolType, DictType, IntType, ListType, LiteralType, UnionType, type_info


class ChoiceKind(Struct, frozen=True):
    """A kind of choice: yes or no, one of some words, a number (or a word), a list of cards, chances by card, a table.

    `values` are the words; `least` and `most` bound the number, or the chances; `most` how many cards a list has.
    """

    kind: Literal["flag", "choice", "number", "cards", "chances", "table"]
    values: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


def kind_of(type_: Any) -> ChoiceKind:
    """The kind of a type.

    Raises: TypeError for a type that has no choices.
    """
    match type_info(type_):
        case BoolType():
            return ChoiceKind("flag")
        case LiteralType():
            return ChoiceKind("choice", _words(type_))
        case IntType() as number:
            return ChoiceKind("number", (), number.ge, number.le)
        case UnionType(types=(IntType() as number, LiteralType())):
            return ChoiceKind("number", _words(type_), number.ge, number.le)
        case ListType(max_length=most):
            return ChoiceKind("cards", (), None, most)
        case DictType(value_type=IntType() as number):
            return ChoiceKind("chances", (), number.ge, number.le)
        case DictType():
            return ChoiceKind("table")
    raise TypeError(f"{type_}: it is no kind of choice")


def _words(type_: Any) -> tuple[str, ...]:
    """The words of a type, in the order in which it has them."""
    if get_origin(type_) is Literal:
        return get_args(type_)
    return tuple(word for part in get_args(type_) for word in _words(part))
