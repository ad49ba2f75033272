"""What `benchmarks.load` computes of a measurement, and how it prints it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from benchmarks.checkout_server import Usage
from benchmarks.load_generator import Generated, Opened, too_slow
from benchmarks.loop_lag import summarize
from benchmarks.sized_echo import Traffic
from benchmarks.table import MAX_P99_MS

FULL_PERCENT, CALM_PERCENT = 95.0, 5.0
"""If a server that uses less of its core than the first waits for it for more than the second, other processes disturb
it."""

MIN_CARDS = 0.6
"""Cards per second and room, usually 0.86: with fewer, the server is too slow for its games, and a room costs less."""

WAITED = ("echo", "play", "wrong slap")
"""The delays that count: `race`, from a good slap to its verdict, does not, because the judge waits on purpose."""

_HEADER_IN, _HEADER_OUT = 6, 2
"""Bytes of a short frame's header, to the server (masked) and from it."""


def figures(rooms: int, empty_kb: float, before: Usage, after: Usage, found: Generated) -> dict[str, Any]:
    """The figures of one measurement."""
    room_seconds, took_s = max(1, rooms) * found.elapsed_s, after.at_s - before.at_s
    cpu_percent = (after.cpu_s - before.cpu_s) / took_s * 100
    waited_percent = max(0.0, after.waited_s - before.waited_s) / took_s * 100
    cpu_ms = cpu_percent * 10 / max(1, rooms)
    cards = found.counts["cards"] / room_seconds
    delays = {what: summarize(delays_ms) for what, delays_ms in sorted(found.delays_ms.items())}
    delay = summarize([ms for what in WAITED for ms in found.delays_ms.get(what, ())])
    slow = too_slow(found.processes)
    frames = {
        direction: {
            kind: {"per_room_second": count / room_seconds, "bytes": size / count}
            for kind, (count, size) in sorted(kinds.items(), key=lambda each: -each[1][0])
            if count
        }
        for direction, kinds in (("in", found.into), ("out", found.out))
    }
    return {
        "rooms": rooms,
        "cpu_ms_per_room_second": cpu_ms,
        "rooms_by_cpu": 1000 / cpu_ms if cpu_ms else 0.0,
        "cpu_percent": cpu_percent,
        "waited_percent": waited_percent,
        "memory_kb_per_room": max(0.0, after.memory_kb - empty_kb) / max(1, rooms),
        "frames": frames,
        "frames_in_per_room_second": total(frames["in"]),
        "frames_out_per_room_second": total(frames["out"]),
        "control_frames_per_room_second": sum(total(each, control=True) for each in frames.values()),
        "kb_per_room_second": sum(total_bytes(each) for each in frames.values()) / 1000,
        "cpu_us_per_frame": cpu_ms * 1000 / max(1e-9, sum(map(total, frames.values()))),
        "cards_per_room_second": cards,
        "cpu_ms_per_card": cpu_ms / cards if cards else 0.0,
        "gaps": found.counts["gaps"],
        "lost_connections": found.counts["lost connections"],
        "delay_ms": delay,
        "delays_ms": delays,
        "held": delay["count"] > 0 and delay["p99"] < MAX_P99_MS,
        "disturbed": waited_percent > CALM_PERCENT and cpu_percent < FULL_PERCENT,
        "slow_games": bool(found.into.get("play")) and cards < MIN_CARDS,
        "players": [process._asdict() for process in found.processes],
        "players_too_slow": slow,
    }


def total(kinds: Mapping[str, Mapping[str, float]], control: bool = False) -> float:
    """Frames per second and room, of all kinds or only of control frames."""
    return sum(each["per_room_second"] for kind, each in kinds.items() if not control or kind.startswith("control "))


def total_bytes(kinds: Mapping[str, Mapping[str, float]]) -> float:
    """Bytes per second and room."""
    return sum(each["per_room_second"] * each["bytes"] for each in kinds.values())


def traffic_of(found: Mapping[str, Any]) -> Traffic:
    """The traffic of one measured room, as the bare echo repeats it."""
    into, out = (found["frames"][direction] for direction in ("in", "out"))
    rates = max(total(into), 1e-3), max(total(out), 1e-3)
    sizes = total_bytes(into) / rates[0] - _HEADER_IN, total_bytes(out) / rates[1] - _HEADER_OUT
    return Traffic(rates[0], sizes[0], rates[1], sizes[1])


def middle(rounds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The round whose CPU is the median."""
    return sorted(rounds, key=lambda each: float(each["cpu_ms_per_room_second"]))[len(rounds) // 2]


RATIOS = (
    "cpu_ms_per_room_second", "cpu_ms_per_card", "cpu_us_per_frame", "memory_kb_per_room", "frames_in_per_room_second",
    "frames_out_per_room_second", "kb_per_room_second",
)  # fmt: skip
"""The figures of which two versions' ratio is printed. On a busy machine games go slower: then trust that of a card."""


def ratios(ours: Sequence[Mapping[str, Any]], theirs: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The medians of the rounds' ratios, ours to theirs; that of memory is of the first round."""
    found = {
        name: median(mine[name] / max(other[name], 1e-9) for mine, other in zip(ours, theirs, strict=True))
        for name in RATIOS
    }
    memory = "memory_kb_per_room"
    return found | {memory: ours[0][memory] / max(theirs[0][memory], 1e-9)}


def opening(opened: Opened) -> dict[str, Any]:
    """How connecting went."""
    return {
        "connected_rooms": opened.rooms,
        "connecting_s": opened.took_s,
        "snapshot_ms": opened.snapshot_ms,
        "refused": opened.refused,
    }


# Printing


def show(found: Mapping[str, Any]) -> None:
    """Print the report as Markdown."""
    heads = (
        "rooms", "CPU ms a room-second", "rooms by CPU", "CPU %", "waited %", "p50 ms", "p99 ms", "frames in/s a room",
        "out", "of these control", "cards/s a room", "kB/s a room", "kB a room", "players' CPU %",
        "players late, p99 ms", "remarks",
    )  # fmt: skip
    print(f"| | {' | '.join(heads)} |\n{'|---' * (len(heads) + 1)}|")
    for name, rounds in found["measured"].items():
        for each in rounds:
            print(_row(name, each))
    print()
    all_rounds = [each for rounds in found["measured"].values() for each in rounds]
    for reason in dict.fromkeys(reason for each in all_rounds for reason in each["players_too_slow"]):
        print(f"**Delays are not valid: {reason}.**")
    for name, opened in found.get("opened", {}).items():
        _show_opening(f"rooms, {name}", opened["connected_rooms"], opened)
    if idle := found.get("idle"):
        _show_opening("idle", idle["connections"], idle)
        print(f"{idle['kb_per_connection']:.1f} kB for each idle connection; {idle['lost']} were lost")
    if not found.get("idle"):
        for name, rounds in found["measured"].items():
            most = max(rounds, key=lambda each: int(each["rooms"]))
            rooms, measured_at = most["rooms_by_cpu"], most["rooms"]
            print(f"{name}: by CPU, one core is full with {rooms:.0f} rooms (measured with {measured_at})")
    if searched := found.get("searched"):
        print(f"p99 stays below {MAX_P99_MS:.0f} ms with {searched['holds']} rooms, not with {searched['fails']}")
    for name, ratio in found.get("ratios_to_echo", {}).items():
        print(f"A room takes {ratio:.2f} times the CPU of a bare echo with the traffic of {name}")
    if "ratios" in found:
        print(f"\n| present, ratio to {found['against']} | |\n|---|---|")
        for name, value in found["ratios"].items():
            print(f"| {name.replace('_', ' ')} | {value:.3f} |")
    _show_frames(found.get("frames", {}))


def _show_opening(what: str, count: int, opened: Mapping[str, Any]) -> None:
    snapshot = opened["snapshot_ms"]
    times = f"p50 {snapshot['p50']:.1f} ms, p99 {snapshot['p99']:.1f} ms"
    seconds, refused = opened["connecting_s"], opened["refused"]
    print(f"{what}: {count} connected in {seconds:.1f} s ({refused} refused and tried again); first snapshot: {times}")


def _row(name: str, each: Mapping[str, Any]) -> str:
    delay, players = each["delay_ms"], each["players"]
    cells = [f"{each['rooms']}", f"{each['cpu_ms_per_room_second']:.2f}", f"{each['rooms_by_cpu']:.0f}"]
    cells += [f"{each[figure]:.1f}" for figure in ("cpu_percent", "waited_percent")]
    cells += [f"{delay[p]:.1f}" for p in ("p50", "p99")]
    cells += [
        f"{each[f'{what}_per_room_second']:.1f}"
        for what in ("frames_in", "frames_out", "control_frames", "cards", "kb")
    ]
    cells += [f"{each['memory_kb_per_room']:.0f}"]
    cells += [" ".join(f"{player[figure]:.{places}f}" for player in players)
              for figure, places in (("cpu_percent", 0), ("late_p99_ms", 1))]  # fmt: skip
    remarks = [what.replace("_", " ") for what in ("held", "disturbed", "slow_games") if each[what]]
    remarks += ["players too slow"] if each["players_too_slow"] else []
    remarks += [f"{each[what]} {what.replace('_', ' ')}" for what in ("gaps", "lost_connections") if each[what]]
    return f"| {name} | {' | '.join(cells)} | {', '.join(remarks)} |"


def _show_frames(frames: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    for direction, kinds in frames.items():
        print(f"\n| {direction} | frames/s a room | bytes |\n|---|---|---|")
        for kind, each in kinds.items():
            print(f"| {kind} | {each['per_room_second']:.2f} | {each['bytes']:.0f} |")
        control = total(kinds, control=True)
        rate = total(kinds)
        print(f"| **all** | {rate:.2f}, {control:.2f} control | {total_bytes(kinds) / max(rate, 1e-9):.0f} |")
