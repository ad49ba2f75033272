"""Makes a log of rooms in which four players have played, and are in the middle of a game."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from benchmarks.credentials import Credentials
from ratscrew.bots.ladder import bot
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.presets import house
from ratscrew.table.core.table import Table
from ratscrew.table.record.effects import Effects, Store
from ratscrew.table.record.entries import Entry, Judged, Measured, Proof, Recorded, Sat, SlapRecord
from ratscrew.table.registry.code_registry import code_of
from ratscrew.table.registry.codes import WORDS
from ratscrew.table.registry.tokens import Tokens
from ratscrew.table.state.evolve import next_game
from ratscrew.table.state.log_writer import LogWriter
from ratscrew.table.state.table_state import TableState
from ratscrew.web.http.browser_cookies import BrowserCookies
from ratscrew.web.http.cookies import COOKIE
from ratscrew.web.http.proxy_policy import ProxyPolicy

NAMES = ("Ana", "Bo", "Cy", "Di")
TEMPLATES, ENTRIES_MOST = 6, 700
"""How many different games the rooms have played, no more than there are rooms, and how long these are: some have
thousands of entries."""

OLD_EVERY, OLD_GAMES, GAMES_MOST = 25, 25, 2
"""Every so many rooms one has played so many games; any other between one and `GAMES_MOST`."""

RTT_US = 30_000


class PlayedRoom(NamedTuple):
    """A room in a log: its running game, the number of its last entry, and the seats of its players."""

    game: str
    version: int
    players: tuple[Credentials, ...]


def make_rooms(file: Path, rooms: int, seed: int = 1) -> list[PlayedRoom]:
    """Write the log, with the keys of the players' cookies; the server that reads it continues the games."""
    rng, now_us = random.Random(seed), time.time_ns() // 1000
    games = list[Sequence[Entry]]()
    while len(games) < min(TEMPLATES, rooms):
        if len(game := played_game(rng, now_us)) <= ENTRIES_MOST:
            games.append(game)
    with closing(SqliteLog(file, Codec[Entry](Entry), "process")) as log:
        tokens, browsers = Tokens(log, now_us), BrowserCookies(log, ProxyPolicy())
        made: list[PlayedRoom] = []
        for number in range(rooms):
            room = f"{WORDS[number % len(WORDS)]}{number:05}-{now_us:x}"
            last = rng.randint(1, GAMES_MOST) if number % OLD_EVERY else OLD_GAMES
            for earlier in range(1, last):
                stored = log.append_soon(f"{room}-{earlier}", 0, _as_game(earlier, rng.choice(games)))
            running = rng.choice(games)
            version = rng.randint(len(running) // 4, len(running) - 2)
            stored = log.append_soon(f"{room}-{last}", 0, _as_game(last, running[:version]))
            seats = [(seat, tokens.sign("seat", room, [seat], now_us)) for seat in range(len(NAMES))]
            cookies = [f"{browsers.name(COOKIE, seat)}={token}" for seat, token in seats]
            players = (Credentials(code_of(room), seat, cookie) for seat, cookie in enumerate(cookies))
            made.append(PlayedRoom(f"{room}-{last}", version, tuple(players)))
            stored.result()
    return made


def played_game(rng: random.Random, now_us: int) -> Sequence[Entry]:
    """The entries of a whole game of four bots, which the log shows as players with pages."""
    table, entries = Table("ROOM-1", house(), bot, rng.randrange, rng.random), list[Entry]()

    def store(effects: Effects) -> None:
        for effect in effects:
            if isinstance(effect, Store):
                entries.extend(effect.entries)

    for name in NAMES:
        table.add_seat(name, "steady")
    store(table.start(now_us))
    while table.state.playing and (wake_us := table.wake_us()) is not None:
        store(table.tick(wake_us))
    writer, state, made = LogWriter(table.room, number=1), next_game(TableState(house())), list[Entry]()
    for entry in entries:
        state, stored = writer.store(state, [_by_players(entry.event)], entry.at_us)
        made += stored.entries
    return made


def _as_game(number: int, entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries as those of a room's game of this number."""
    return [
        replace(entry, state={**entry.state, "state": {**entry.state["state"], "round": number}})
        if entry.state
        else entry
        for entry in entries
    ]


def _by_players(event: Recorded) -> Recorded:
    match event:
        case Sat():
            return replace(event, bot=None)
        case Judged(order=order):
            return replace(event, order=tuple(map(_proven, order)))
        case Measured(slap=hit):
            return replace(event, slap=_proven(hit))
    return event


def _proven(hit: SlapRecord) -> SlapRecord:
    """The slap with a proof, as of a page that has sent a heartbeat just before."""
    arrived_us = hit.us + RTT_US // 2
    return replace(hit, proof=Proof(arrived_us, RTT_US, hit.us, 15_000, 50_000, 0, hit.us - 20_000, 0, RTT_US))
