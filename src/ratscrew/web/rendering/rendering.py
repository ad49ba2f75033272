"""Responses that need much processor time: houses, practice cards, finished games. Runs in a worker process.

Every function takes and returns plain values, which can be sent between processes, and does no I/O. Invalid input gives
a response too, with its status.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import msgspec

from ratscrew.accounts.export import ACCOUNT, exported
from ratscrew.accounts.played import EVERYONE, PLAYED_GAMES, Summary, summary
from ratscrew.errors import InputError, NotationError, Refusal, RefusalReason, RulesError
from ratscrew.game.bounds import InputCodec
from ratscrew.game.codec import Codec
from ratscrew.game.events import Won
from ratscrew.game.practice_stream import practice_stream
from ratscrew.log.rows import Packed, unpack
from ratscrew.rules.describe import described
from ratscrew.rules.house import Rules
from ratscrew.rules.languages import LANGUAGES
from ratscrew.rules.link import base_of, from_link, to_link
from ratscrew.rules.presets import house
from ratscrew.rules.rule_sheet import differences, sheet
from ratscrew.rules.words import say
from ratscrew.table.history.history import Finished, History, history
from ratscrew.table.record.entries import Entry
from ratscrew.table.record.moment import encode_moment
from ratscrew.table.registry.continuing import moment_of
from ratscrew.web.rendering import link_picture
from ratscrew.web.schema import http_schema, problems
from ratscrew.web.schema.http_schema import BODY_MOST

CARDS_MOST = 200
SEED_MOST = 2**32 - 1

_CHOICES = InputCodec[http_schema.Choices](http_schema.Choices, BODY_MOST)
_CHOSEN = Codec[http_schema.Chosen](http_schema.Chosen)
_HEADLINE = Codec[tuple[str, str]](tuple[str, str])
_DRILL = Codec[http_schema.Drill](http_schema.Drill)
_PROBLEM = Codec[http_schema.Problem](http_schema.Problem)
_FINISHED = Codec[Finished](Finished)
SUMMARY = Codec[Summary](Summary)
HEADLINE = Codec[tuple[str | None, int]](tuple[str | None, int])
_ENTRY = Codec[Entry](Entry)

DAMAGED = 500
"""The status of a response from entries that cannot be read."""


class Rendered(NamedTuple):
    """A response: its status, and its body compressed with gzip."""

    status: int
    packed: bytes


def house_of_text(text: str, language: str) -> Rendered:
    """A house by its short text, described."""
    return _of_rules(lambda: _described(from_link(text), base_of(text), language), language)


def described_preset(text: str, language: str) -> bytes:
    """A preset by its short text, described, as JSON."""
    return _described(from_link(text), base_of(text), language)


def headline_of_house(text: str, language: str) -> Rendered:
    """What a house is called, and what is special about it, as two strings in JSON."""

    def make() -> bytes:
        rules = from_link(text)
        base = base_of(text)
        told = _CHOSEN.decode(_described(rules, base, language))
        hint = LANGUAGES[language].words[f"preset.{base}"].hint
        return _HEADLINE.encode((told.title, " ".join(told.differences) or hint))

    return _of_rules(make, language)


def house_of_choices(body: bytes, language: str) -> Rendered:
    """A house by its choices, described; `body` is that of `POST /api/house`."""

    def make() -> bytes:
        choices = _CHOICES.decode(body)
        return _described(house(choices.preset, **choices.choices), choices.preset, language)

    return _of_rules(make, language)


def practice_cards(text: str, cards: str, seed: str, language: str) -> Rendered:
    """Cards to practise with in a house; the same seed gives the same cards."""

    def make() -> bytes:
        rules = from_link(text)
        count, start = _number("cards", cards, 1, CARDS_MOST), _number("seed", seed, 0, SEED_MOST)
        return _DRILL.encode(http_schema.Drill(to_link(rules), practice_stream(rules, count, Random(start).randrange)))

    return _of_rules(make, language)


def options(language: str) -> bytes:
    """All options of a house, as JSON."""
    return Codec[Any](Any).encode(described(LANGUAGES[language]))


def game_as_data(name: str, bodies: bytes, checksums: bytes, language: str = "en") -> Rendered:
    """A finished game as JSON; `bodies` and `checksums` are its log entries as they are stored (`log.rows.Packed`).

    Errors of this and the following functions are in the language.
    """
    return _of_game(bodies, checksums, lambda read, _: _FINISHED.encode(read.finished(name)), language)


def game_as_text(_: str, bodies: bytes, checksums: bytes, language: str = "en") -> Rendered:
    """A finished game as text."""
    return _of_game(bodies, checksums, lambda read, _: read.text().encode(), language)


def headline_of_game(_: str, bodies: bytes, checksums: bytes, language: str = "en") -> Rendered:
    """Who has won a finished game, null if nobody has, and after how many cards; encoded by `HEADLINE`."""

    def make(read: History, _: list[Entry]) -> bytes:
        winner = None
        if isinstance(end := read.entries[-1].event, Won):
            winner = read.seats[end.seat].name if end.seat < len(read.seats) else "–"
        return HEADLINE.encode((winner, read.game.n if read.game else 0))

    return _of_game(bodies, checksums, make, language)


def game_moment(_: str, bodies: bytes, checksums: bytes, v: str, language: str) -> Rendered:
    """The moment of a finished game after its `v`-th event, as `decode_moment` reads it."""
    return _of_game(bodies, checksums, lambda _, entries: encode_moment(moment_of(entries, int(v))), language)


def room_picture(code: str) -> Rendered:
    """The picture of a room's link, as PNG."""
    return Rendered(200, gzip.compress(link_picture.room_picture(code), 0))


def profile_figures(games: bytes, everyone: bytes) -> Rendered:
    """A player's figures, encoded by `SUMMARY`, from the games and all players' reactions, as JSON."""
    found = summary(PLAYED_GAMES.decode(games), EVERYONE.decode(everyone))
    return Rendered(200, gzip.compress(SUMMARY.encode(found), 1))


def not_over(language: str) -> Rendered:
    """The response for a game that is still being played."""
    return _problem(409, problems.refusal(language, Refusal(RefusalReason.NOT_OVER)))


def account_export(account: bytes, values: bytes) -> Rendered:
    """Everything that is stored under an account, as JSON; `values` are encoded by `encode_values`."""
    return Rendered(200, gzip.compress(exported(ACCOUNT.decode(account), msgspec.msgpack.decode(values)), 1))


def failed(language: str | bytes = "en") -> Rendered:
    """The response to an error of the server; any other value than a language stands for English."""
    known = language if isinstance(language, str) and language in LANGUAGES else "en"
    return _problem(500, problems.problem(known, *problems.SENTENCES[500]))


def prepare() -> None:
    """Import everything, so that the first request does not wait for it."""
    house_of_text("1;classic", "en")


def _of_rules(make: Callable[[], bytes], language: str) -> Rendered:
    try:
        return Rendered(200, gzip.compress(make(), 6))
    except RulesError as error:
        return _problem(422, problems.broken_rules(language, error))
    except InputError as error:
        return _problem(400, problems.invalid_input(language, error))


def _of_game(
    bodies: bytes, checksums: bytes, encode: Callable[[History, list[Entry]], bytes], language: str
) -> Rendered:
    try:
        entries = unpack(Packed(bodies, checksums), _ENTRY)
    except ValueError:
        return _problem(DAMAGED, problems.problem(language, "damaged", problems.LOG_FAILURES["damaged"]))
    read = history(entries)
    if read.game is None or not read.game.over:
        return not_over(language)
    try:
        return Rendered(200, gzip.compress(encode(read, entries), 6))
    except NotationError:
        sentence = say("This game can't be saved as text: another version of Ratscrew decided it")
        return _problem(409, problems.problem(language, "not_exportable", sentence))
    except RulesError as error:
        return _problem(422, problems.broken_rules(language, error))


def _problem(status: int, problem: http_schema.Problem) -> Rendered:
    return Rendered(status, gzip.compress(_PROBLEM.encode(problem), 6))


def _described(rules: Rules, base: str, language: str) -> bytes:
    return _described_link(to_link(rules, base), language)


@lru_cache(64)
def _described_link(link: str, code: str) -> bytes:
    rules, language = from_link(link), LANGUAGES[code]
    preset = base_of(link)
    title, changes = language.words[f"preset.{preset}"].title, differences(rules, house(preset), language)
    return _CHOSEN.encode(http_schema.Chosen(link, rules, sheet(rules, language, preset), preset, title, changes))


def _number(name: str, text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 12 or not least <= int(text) <= most:
        raise RulesError(
            [say("{name} = {value!r}: it can be {least} to {most}", name=name, value=text[:40], least=least, most=most)]
        )
    return int(text)
