"""Answers to requests, and to those that cannot be met: a code, and each problem in a sentence."""

from __future__ import annotations

import logging
import re
from typing import Any, Literal

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.errors import Corrupt, LogError, Refusal, RulesError
from ratscrew.game.codec import Codec
from ratscrew.rules.languages import LANGUAGES
from ratscrew.web import bodies

SMALL = 1000

_UNKEPT = {
    "unkept": "the game cannot be kept at the moment; nothing that you saw is lost: try again",
    "damaged": "the record of this game is damaged and cannot be read",
}

_ANSWER = Codec[Any](Any)
_journal = logging.getLogger(__name__)


def answer(value: Any, status: int = 200) -> web.Response:
    """A value as JSON, compressed where that is worth it and wanted."""
    body = _ANSWER.encode(value)
    response = web.Response(body=body, content_type="application/json", status=status)
    if len(body) > SMALL:
        response.enable_compression()
    return response


def language_of(request: web.Request) -> str:
    """The code of the language in which to answer: that of `lang`, else the first that the browser asks for."""
    wanted = [request.query.get("lang", ""), *request.headers.get("Accept-Language", "").split(",")]
    codes = [re.split("[-;]", text.strip().lower())[0] for text in wanted]
    return next((code for code in codes if code in LANGUAGES), "en")


def told_of(error: LogError) -> Literal["unkept", "damaged"]:
    """The code of what is wrong with a log, for people; the journal has it in full."""
    _journal.error("%s", error)
    return "damaged" if isinstance(error, Corrupt) else "unkept"


@web.middleware
async def answer_problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """What was wrong is told in sentences: 422 it breaks a rule, 409 not now, 400 the rest; 503 and 500 are our own."""
    try:
        return await handler(request)
    except RulesError as error:
        says = LANGUAGES[language_of(request)].says
        return answer(bodies.Problem("rules", tuple(map(says, error.problems))), 422)
    except Refusal as error:
        return answer(bodies.Problem(error.why.value, (str(error),)), 409)
    except LogError as error:
        why = told_of(error)
        return answer(bodies.Problem(why, (_UNKEPT[why],)), 500 if why == "damaged" else 503)
    except ValueError as error:
        return answer(bodies.Problem("request", (str(error),)), 400)
