"""Answers to requests, and to those that cannot be met: a code, and each problem in a sentence."""

from __future__ import annotations

import re
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.errors import Refusal, RulesError
from ratscrew.game.codec import Codec
from ratscrew.rules.languages import LANGUAGES
from ratscrew.web import bodies

SMALL = 1000

_ANSWER = Codec[Any](Any)


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


@web.middleware
async def answer_problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Whatever was wrong with a request is told in sentences: 422 what breaks a rule, 409 what cannot be now, 400."""
    try:
        return await handler(request)
    except RulesError as error:
        says = LANGUAGES[language_of(request)].says
        return answer(bodies.Problem("rules", tuple(map(says, error.problems))), 422)
    except Refusal as error:
        return answer(bodies.Problem(error.why.value, (str(error),)), 409)
    except ValueError as error:
        return answer(bodies.Problem("request", (str(error),)), 400)
