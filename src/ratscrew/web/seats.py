"""Sitting down over HTTP: rooms and seats, and a seat that moves to another device."""

from __future__ import annotations

import logging

from aiohttp import web

from ratscrew.game.codec import Codec
from ratscrew.rules.link import to_link
from ratscrew.table.rooms.room import Room
from ratscrew.table.rooms.room_registry import Asked, code_of
from ratscrew.table.table import Table
from ratscrew.web import http_schema
from ratscrew.web.games import Forget
from ratscrew.web.idempotency import Once, key_of
from ratscrew.web.responses import json_response
from ratscrew.web.socket import House

_journal = logging.getLogger(__name__)
_NEW_ROOM = Codec[http_schema.NewRoom](http_schema.NewRoom)
_QUICK = Codec[http_schema.Quick](http_schema.Quick)
_NEW_SEAT = Codec[http_schema.NewSeat](http_schema.NewSeat)
_NEW_PASS = Codec[http_schema.NewPass](http_schema.NewPass)
_PASS = Codec[http_schema.Pass](http_schema.Pass)
_OLD_NAMES = Codec[http_schema.OldNames](http_schema.OldNames)


def add_seats(app: web.Application, house: House, once: Once, forget: Forget) -> None:
    """Rooms and seats under `/api`."""
    lobby, cookies, find = house.lobby, house.cookies, house.admission.find

    async def joined(request: web.Request, room: Room, seat: int) -> web.Response:
        """Nobody is told of a seat that the log does not have."""
        await room.kept()
        _journal.info("a seat is taken", extra={"room": code_of(room.table.room), "seats": len(room.table.seats)})
        who = room.table.seats[seat].who
        house.admission.note_network(request, room, [who])
        response = json_response(http_schema.Joined(code_of(room.table.room), seat, who), 201)
        cookies.give(request, response, room, [who])
        return response

    async def new_room(request: web.Request) -> web.Response:
        new = _NEW_ROOM.decode(await request.read())
        asked = Asked(new.name, new.bots, new.strength, new.house, new.wait, new.listed, new.guise, nonce=new.nonce)
        asked = asked._replace(address=house.admission.check_opener(request))
        async with house.opening.turn(asked.address):
            room = lobby.open(asked)
        return await joined(request, room, room.table.roster.host)

    async def open_rooms(_: web.Request) -> web.Response:
        return json_response([_row(room.table) for room in lobby.listed()])

    async def quick(request: web.Request) -> web.Response:
        new = _QUICK.decode(await request.read())
        address = house.admission.check_opener(request)
        async with house.opening.turn(address):
            room, seat = lobby.quick(new.name, new.guise, address)
        return await joined(request, room, seat)

    async def new_seat(request: web.Request) -> web.Response:
        new, key = _NEW_SEAT.decode(await request.read()), key_of(request)
        if (room := await find(request)) is None:
            return no_room()
        if key and (seat := room.joined_before(key)) is not None:
            return await joined(request, room, seat)
        house.admission.check_newcomer(request, room)
        async with house.opening.turn(house.road.address(request)):
            seat = lobby.join(room, new.name, new.guise, key)
        return await joined(request, room, seat)

    async def new_pass(request: web.Request) -> web.Response:
        asked = _NEW_PASS.decode(await request.read())
        if (room := await find(request)) is None:
            return no_room()
        if not (whos := room.table.roster.present(cookies.held(request, room, asked.who))):
            return not_held()
        return json_response(http_schema.Pass(room.passes.make(whos, house.clock.now_us())), 201)

    async def take_pass(request: web.Request) -> web.Response:
        shown = _PASS.decode(await request.read())
        if (room := await find(request)) is None:
            return no_room()
        if not (whos := room.table.roster.present(room.passes.take(shown.text, house.clock.now_us()))):
            problem = "this pass was used, is over, or is not for this room: the other device shows a new one"
            return json_response(http_schema.Problem("pass_over", (problem,)), 403)
        house.admission.note_network(request, room, whos)
        response = json_response(http_schema.Moved(code_of(room.table.room), whos))
        cookies.give(request, response, room, whos)
        return response

    async def no_name(request: web.Request) -> web.Response:
        old = _OLD_NAMES.decode(await request.read())
        if (room := await find(request)) is None:
            return no_room()
        if not (whos := cookies.held(request, room, old.who)):
            return not_held()
        room.unname(whos)
        await room.kept()
        done = await forget(room.table.room, whos)
        _journal.info("names are deleted", extra={"room": code_of(room.table.room), "names": len(whos)})
        return json_response(http_schema.DeletedNames(whos, done), 200 if done else 202)

    app.router.add_post("/api/rooms", once(new_room))
    app.router.add_get("/api/rooms", open_rooms)
    app.router.add_post("/api/quick", once(quick))
    app.router.add_post("/api/rooms/{code}/seats", once(new_seat))
    app.router.add_post("/api/rooms/{code}/pass", new_pass)
    app.router.add_post("/api/rooms/{code}/device", once(take_pass))
    app.router.add_delete("/api/rooms/{code}/name", no_name)


def no_room() -> web.Response:
    """The answer where a code leads nowhere."""
    return json_response(http_schema.Problem("no_room", ("there is no room with this code",)), 404)


def not_held() -> web.Response:
    """The answer to who has no cookie of a seat that he speaks of."""
    return json_response(http_schema.Problem("not_held", ("this browser holds no such seat in this room",)), 403)


def _row(table: Table) -> http_schema.OpenRoom:
    """A room as strangers find it."""
    staying = table.roster.staying
    bots = sum(seat.bot is not None for seat in staying)
    host = table.seats[table.roster.host].name
    room, house = code_of(table.room), to_link(table.rules)
    return http_schema.OpenRoom(room, host, house, len(staying) - bots, bots, table.most, table.playing)
