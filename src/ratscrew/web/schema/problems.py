"""What players read when a request fails: sentences of the catalogue, in their language. Does not import aiohttp.

Only this module makes a `Problem`. It takes a `Sentence` of the catalogue, never the text of an exception: what a
library says of a wrong field goes into `detail`, for developers. `responses.py` sends the problems of the server, the
worker process renders its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ratscrew.errors import (
    Banned,
    InputError,
    LimitExceeded,
    NoAccount,
    Overloaded,
    Refusal,
    RefusalReason,
    RulesError,
    ServerFull,
    TooCostly,
)
from ratscrew.rules.languages import LANGUAGES
from ratscrew.rules.words import Sentence, say
from ratscrew.table.names.names import LONGEST
from ratscrew.web.schema.http_schema import BODY_MOST, Problem, SlowDown

SENTENCES: Mapping[int, tuple[str, Sentence]] = {
    400: ("request", say("The request cannot be understood.")),
    403: ("elsewhere", say("Only pages of this server may send this request.")),
    404: ("nowhere", say("There is no such page.")),
    405: ("method", say("This address does not take requests of this method.")),
    408: ("slow", say("The request took too long to arrive. Try again.")),
    413: ("too_large", say("The body of a request may have at most {most} bytes.", most=BODY_MOST)),
    414: ("too_long", say("The address of the request is too long, or has too many parameters.")),
    415: ("packed", say("Send the body without Content-Encoding.")),
    431: ("headers", say("A header of the request is too long.")),
    500: ("fault", say("Something went wrong on the server, and was logged. Try again.")),
}
"""Code and sentence of the errors that occur before a handler runs, by status."""

LOG_FAILURES: Mapping[str, Sentence] = {
    "unkept": say("the game cannot be saved at the moment; nothing that you saw is lost: try again"),
    "damaged": say("the record of this game is damaged and cannot be read"),
}

REFUSALS: Mapping[RefusalReason, Sentence] = {
    RefusalReason.NOT_OVER: say("this game is not over yet"),
    RefusalReason.ROOM_LOG_FULL: say("This table has been changed too often: open a new one"),
    RefusalReason.ROOM_CLOSED: say("This table is closed"),
    RefusalReason.NAME_TAKEN: say("Somebody here has that name already, or one that looks like it"),
    RefusalReason.TOO_FEW: say("Too few players are here"),
}
"""What a refusal says over HTTP that brings no sentence of its own."""

NOT_NOW = say("That isn't possible right now")


def problem(language: str, code: str, *sentences: Sentence) -> Problem:
    """A problem in a language: a sentence each."""
    return Problem(code, tuple(map(LANGUAGES[language].says, sentences)))


def invalid_input(language: str, error: InputError) -> Problem:
    """The problem of a body that is not as its schema has it: a page of another version may have sent it."""
    sentence = say("Something in this request isn't right: reload the page and try again")
    if error.field in ("$.name", "$.title") and "length" in error.fault:
        sentence = say("A name needs 1 to {most} letters", most=LONGEST)
    return Problem("request", (LANGUAGES[language].says(sentence),), error.field, error.fault)


def broken_rules(language: str, error: RulesError, code: str = "rules") -> Problem:
    """The problems of choices that are not valid."""
    return Problem(code, tuple(map(LANGUAGES[language].says, error.problems)))


def refusal(language: str, error: Refusal) -> Problem:
    """The problem of something that is not possible now."""
    told = error.args[0]
    sentence = told if isinstance(told, Sentence) else REFUSALS.get(error.reason, NOT_NOW)
    return problem(language, "banned" if isinstance(error, Banned) else error.reason.value, sentence)


def no_account(language: str, _: NoAccount) -> Problem:
    """The problem of a browser without an account."""
    return problem(language, "no_account", say("This browser has no account here"))


def too_costly(language: str, _: TooCostly) -> Problem:
    """The problem of work that takes too long."""
    return problem(language, "too_costly", say("This takes the server too long to work out: choose something simpler"))


def slow_down(language: str, error: LimitExceeded) -> SlowDown:
    """The problem of too many requests, or of a busy server."""
    seconds = math.ceil(error.wait_s)
    if isinstance(error, ServerFull):
        sentence = say("the server has no space for another table now: try again in {seconds} s", seconds=seconds)
    elif isinstance(error, Overloaded):
        sentence = say("the server is busy: try again in {seconds} s", seconds=seconds)
    else:
        sentence = say("too many requests: try again in {seconds} s", seconds=seconds)
    code = "busy" if isinstance(error, Overloaded) else "slow_down"
    return SlowDown(code, (LANGUAGES[language].says(sentence),), seconds)  # type: ignore[arg-type]
