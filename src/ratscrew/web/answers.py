"""Answers to requests, and to those that cannot be met: a code, and each problem in a sentence."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Mapping
from typing import Any, Literal

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.errors import Corrupt, LogError, Refusal, RulesError, TooMuch
from ratscrew.game.codec import Codec
from ratscrew.rules.languages import LANGUAGES
from ratscrew.web import bodies

SMALL = 1000

BODY_MOST = 4096
"""Bytes of the longest body of a request."""

SENTENCES: Mapping[int, tuple[str, str]] = {
    400: ("request", "This is no request that is understood here."),
    403: ("elsewhere", "This is answered to our own pages only."),
    404: ("nowhere", "There is no such page here."),
    405: ("method", "This cannot be asked of this address in this way."),
    408: ("slow", "The request took too long to arrive: try again."),
    413: ("too_large", f"The body of a request may have {BODY_MOST} bytes."),
    500: ("fault", "Something went wrong here, and is noted: try again."),
}
"""What is said where a request does not even reach anybody: a code and a sentence."""

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
    """What was wrong is told in sentences: 422 it breaks a rule, 409 not now, 429 too much, 400 the rest.

    503 and 500 are our own; what goes wrong here is told to the journal alone.
    """
    try:
        return await handler(request)
    except RulesError as error:
        says = LANGUAGES[language_of(request)].says
        return answer(bodies.Problem("rules", tuple(map(says, error.problems))), 422)
    except Refusal as error:
        return answer(bodies.Problem(error.why.value, (str(error),)), 409)
    except TooMuch as error:
        seconds = math.ceil(error.wait_s)
        response = answer(bodies.SlowDown("slow_down", (str(error),), seconds), 429)
        response.headers["Retry-After"] = str(seconds)
        return response
    except LogError as error:
        why = told_of(error)
        return answer(bodies.Problem(why, (_UNKEPT[why],)), 500 if why == "damaged" else 503)
    except ValueError as error:
        return answer(bodies.Problem("request", (str(error),)), 400)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return _fault(request, error.status, error.headers.get("Allow"))
    except web.RequestPayloadError:
        return _fault(request, 400)
    except ConnectionError:
        raise
    except Exception:
        _journal.exception("%s %s went wrong", request.method, request.path)
        return _fault(request, 500)


def _fault(request: web.Request, status: int, allow: str | None = None) -> web.Response:
    """The answer where nobody is there to give one: as data to who asks for data, else as a sentence."""
    code, sentence = SENTENCES.get(status, SENTENCES[400])
    if request.path.startswith("/api/"):
        response = answer(bodies.Problem(code, (sentence,)), status)
    else:
        response = web.Response(text=sentence, status=status)
    if allow:
        response.headers["Allow"] = allow
    return response
