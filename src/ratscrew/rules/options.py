"""The texts of all options, and which choices require others.

The rule sheet and every form for choosing rules are made from these; patterns and penalties have their own texts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ratscrew.rules import endgames
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.words import Words, read_words

_TEXT = """
[cards]
decks: Packs. How many packs are shuffled together.
decks = 1: We play with one pack of cards.
decks = auto: We play with one pack for every six players.
decks = {}: We play with {} packs, shuffled together.
pack: Kind of pack. Whether the low cards are in it.
pack = standard: (A pack has all 52 cards.)
pack = pinochle: Each pack runs from nine to ace only, with two of every card.
without: Smaller packs. Which cards are taken out of each pack.
without = -: (No card is taken out.)
without = {}: No pack has {}.
jokers: Jokers. How many go into each pack.
jokers = 0: (There are no jokers.)
jokers = 1: One joker goes into each pack.
jokers = {}: {} jokers go into each pack.
deal: Dealing. How everyone gets their cards.
deal = one_by_one: The cards are dealt one at a time, face down; no one looks at their cards.
deal = stacks: The deck is cut into stacks of about the same size, one for each player; no one looks at their cards.
remainder: Leftover cards. What happens when the deck can't be dealt evenly.
remainder = extras: (Some players may get one extra card.)
remainder = jokers: Jokers are added until the deal comes out even.
remainder = pile: Leftover cards start the pile.
shuffle: Shuffling. How the deck is mixed.
shuffle = uniform: (Every order of the deck is equally likely.)
shuffle = riffle7: The deck is riffled seven times.
direction: Direction. Which way play goes.
direction = cw: Play goes clockwise, and the player on the dealer's left goes first.
direction = ccw: Play goes anticlockwise, and the player on the dealer's right goes first.
max_players: Players. How many can play at most.
max_players = 0: (Any number of players can play.)
max_players = {}: Up to {} can play.
pickup: Won cards. What happens to a pile you take.
pickup = keep: A pile goes under your cards as it lies, so its first card comes up first.
pickup = reverse: A pile is turned over as a whole and goes under your cards, so its last card comes up first.
pickup = shuffle: A pile is shuffled before it goes under your cards.
pickup = shuffle_hand: A pile is shuffled together with your cards.

[challenges]
chances: Challenges. Which cards are challenges, and how many tries the next player gets to answer.
chances = -: No card is a challenge.
chances = {}: The next player gets {} to answer with another of these cards, or the challenger takes the pile.
stoppers: Stoppers. Answers that end a challenge, so play just goes on.
stoppers = -: (No card stops a challenge.)
stoppers = {}: Answering with {} ends a challenge.
run_out: Running out. What happens if you run out of cards while answering.
run_out = next_continues: If you run out of cards while answering, the next player goes on with the tries left.
run_out = challenger_takes: If you run out of cards while answering, the challenger takes the pile.
collect: Taking the pile. How a won pile gets to its winner.
collect = auto: (A won pile goes to its winner automatically.)
collect = manual: If you win a pile, you pick it up yourself.
lead: Next to play. Who plays first after a pile is taken.
lead = taker: The player who takes a pile leads.
lead = next: After a pile is taken, the player next to its winner leads.
lead = loser: After a challenge, the player who failed it leads; after any other pile, the player who takes it.
slap_window: Slaps and challenges. When you can slap the pile.
slap_window = always: You can slap the pile at any time, even in the middle of a challenge, or once it's been won.
slap_window = not_after_fail: Once a challenge has won the pile, you can't slap it any more.
slap_window = not_during_challenge: You can't slap the pile during a challenge, or once a challenge has won it.
final_card_slap: The last card of a challenge. What a wrong slap on it costs.
final_card_slap = normal: (A wrong slap on the last card of a challenge costs the same as any other.)
final_card_slap = free: A wrong slap on the last card of a challenge costs nothing.

[slaps]
slaps: Slaps. What you can slap.
slaps = off: There is no slapping.
slaps.wild: Wild cards. Cards that can stand in for any other in a slap.
slaps.wild = off: (No card is wild.)
slaps.wild = {}: Wild cards: {} can stand in for any other card in a slap.
dead_pattern: Burned and dead cards. Whether slaps look past them.
dead_pattern = block: (Slaps don't look past a burned or dead card.)
dead_pattern = skip: Slaps look past burned and dead cards, as if they weren't there.
judge: Judge. Who decides whether a slap is good.
judge = auto: (The table decides whether a slap is good.)
judge = honour: Piles are taken on your honour; contest it and you pay a card if it was right, or get one if not.
tie: Several hands. Who takes the pile when hands come down together.
tie = earliest: The first hand on the pile takes it.
tie = contact: When hands come down together, most fingers on the pile win, then the earliest hand.
tie = void: When hands come down together, no one takes the pile, and play goes on as if there was nothing to slap.
tie = judge: When hands come down together, the judge of the table decides who takes the pile.
tie_window_ms: Together. How close in time hands count as together.
tie_window_ms = 0: (Only hands at the very same moment count as together.)
tie_window_ms = {}: Hands within {s} of each other count as together.

[wrong slaps]
wrong_slap: Wrong slap. What it costs if you have cards.
no_cards: Wrong slap without cards. What it costs if you have none.
max_streak: Wrong slaps in a row. How many cards in a row you can slap wrongly.
max_streak = 0: (You stay in the game, however many wrong slaps you make in a row.)
max_streak = 1: If you slap wrongly on two cards in a row, you're out of the game.
max_streak = {}: If you slap wrongly on more than {} cards in a row, you're out of the game.
burn_face_up: Burned cards. Which way up they lie.
burn_face_up = true: (Burned cards lie face up.)
burn_face_up = false: Burned cards lie face down.

[running out]
slap_in: Slapping in. Whether you can come back without cards.
slap_in = no: Without cards, you can't slap.
slap_in = while_two_active: Without cards, you can slap your way back in as long as two players have cards.
slap_in = always: Without cards, you can slap your way back in.
slap_in = once: Without cards, you have one chance: you can slap your way back in until someone else slaps a pile.
slap_in = until_turn: Without cards, you can slap your way back in until it's your turn.
late_join: Joining late. Whether you can join a game that has started.
late_join = no: (No one can join a game that has started.)
late_join = slap_in: Late players join with a good slap.
join_seat: Late players. Where they sit.
join_seat = end: (Late players sit at the end.)
join_seat = choose: Late players choose where to sit.
endgame: Last with cards. What happens when only one player has cards.
last_chance: Last chance. How many more cards you flip after winning them all.
last_chance = 0: (If you have every card, you've won.)
last_chance = 1: If you win every card with a challenge, you flip one more; a good slap on it keeps the game going.
last_chance = {}: If you win every card with a challenge, you flip {} more; a good slap on them keeps the game going.
last_chance_who: Whose last chance. Who can slap then.
last_chance_who = opponent: Only the player who lost the challenge can slap then.
last_chance_who = anyone: Everyone can slap then.
stalemate: No one has cards. What happens when all cards are on the table.
stalemate = last_player: If no one has cards left, the player who flipped the last one takes the pile.
stalemate = draw: If no one has cards left, the game is a draw.
stalemate = redeal: If no one has cards left, all cards are dealt again.
limit_cards: Length. After how many cards the game ends.
limit_cards = 0: (The game goes on until someone has every card.)
limit_cards = {}: After {} cards, the game ends when the pile is taken: the most cards win, and a tie is a draw.

[table manners]
out_of_turn: Out of turn. What happens to a card that's played too early.
out_of_turn = reject: (No one can play out of turn.)
out_of_turn = dead: A card played out of turn is dead: it counts for nothing.
out_of_turn = aside: A card shown too early is set aside, face up, until its turn comes.
dead_place: Dead cards. Where they go.
dead_place = bottom: Dead cards go under the pile.
dead_place = top: Dead cards stay on top of the pile, where they fell.
out_of_turn_burn: Out-of-turn penalty. How many cards you burn for playing out of turn.
out_of_turn_burn = 0: (Playing out of turn costs no extra card.)
out_of_turn_burn = 1: If you play out of turn, you burn another card.
out_of_turn_burn = {}: If you play out of turn, you burn {} more cards.
cheat: Cheating. Whether you can take a pile that isn't yours.
cheat = off: (No one can take a pile that isn't theirs.)
cheat = split: A stolen pile goes back if it's noticed at once; within a round, it costs half the thief's cards.
withdraw_ms: Hands off. How long you can't slap after flipping a card.
withdraw_ms = 0: (You can slap as soon as you've flipped a card.)
withdraw_ms = {}: Take your hand away first: after flipping a card, you can't slap for {s}.
redneck: Foreheads. Who must touch their forehead before each slap.
redneck = off: (No one has to touch their forehead.)
redneck = convicted: Once you've slapped wrongly, you must touch your forehead before each slap.
redneck = all: Everyone must touch their forehead before each slap.
hover: Hovering. What you can do about a hand that hovers over the pile.
hover = off: (No one's hand can be slapped down.)
hover = slap_down: You can slap down a hand that hovers over the pile; that counts as its owner's slap.
slap_hand: Hands. Which hand slaps.
slap_hand = any: (Slap with either hand.)
slap_hand = other: Slap with the hand that doesn't play your cards.
feints: Feints. Whether you can pretend to slap or to play.
feints = true: You can pretend to slap or to play.
feints = false: (No one can pretend to slap or to play.)
triple_six_ban: Burning the deck. What three sixes lead to.
triple_six_ban = true: After three sixes, the deck is burned, and no one plays before midnight.
triple_six_ban = false: (After three sixes, you can play again.)

[speed]
turn_ms: Turns. How long you have to flip a card.
turn_ms = {}: You have {s} to flip a card; then it's flipped for you.
collect_delay_ms: Won piles. How long they stay on the table.
collect_delay_ms = {}: A won pile stays there for {s}.
contest_ms: Contesting. How long you have to object to a claim, a tie or a pickup.
contest_ms = {}: You have {s} to object to a claim, a tie or a pickup.
hover_ms: Hover time. How long a hand must stay over the pile to count as hovering.
hover_ms = {}: A hand that stays over the pile for {s} counts as hovering.
"""


class Option(NamedTuple):
    """One option: its group on the sheet, and its words."""

    name: str
    group: str
    words: Words


class Requirement(NamedTuple):
    """A choice requires that another option has one of these values.

    `value` None is any value but the default. An unmet requirement is an error if it is `required`; otherwise the
    choice has no effect and is not shown.
    """

    option: str
    value: Any
    other: str
    values: tuple[Any, ...]
    required: bool = True


def _options() -> tuple[Option, ...]:
    groups = [block.partition("]\n") for block in _TEXT.split("[")[1:]]
    found = [(name, group, words) for group, _, text in groups for name, words in read_words(text).items()]
    declared = {"endgame": endgames.SENTENCES}
    return tuple(
        Option(name, group, words._replace(values=declared.get(name, words.values))) for name, group, words in found
    )


OPTIONS = _options()
"""Every option, group by group, in the order of the sheet."""

GROUPS = tuple(dict.fromkeys(option.group for option in OPTIONS))

PARTNERS = [name for name, pattern in PATTERNS.items() if pattern.base == "partners"]

REQUIREMENTS = (
    Requirement("cheat", "split", "collect", ("manual",)),
    Requirement("triple_six_ban", True, "slaps.triple_six", ("all_lose",)),
    Requirement("dead_place", None, "out_of_turn", ("dead",)),
    Requirement("out_of_turn_burn", None, "out_of_turn", ("dead",)),
    Requirement("join_seat", None, "late_join", ("slap_in",)),
    Requirement("slaps.top_bottom.after_burn", "burn_is_bottom", "burn_face_up", (True,)),
    *(Requirement(f"slaps.{name}.total", None, f"slaps.{name}.ranks", ("total",), False) for name in PARTNERS),
    Requirement("tie_window_ms", None, "tie", ("contact", "void", "judge")),
    Requirement("last_chance_who", None, "last_chance", tuple(range(1, 53)), required=False),
    Requirement("contest_ms", None, "judge", ("honour",), required=False),
    Requirement("contest_ms", None, "tie", ("judge",), required=False),
    Requirement("contest_ms", None, "cheat", ("split",), required=False),
    Requirement("hover_ms", None, "hover", ("slap_down",), required=False),
)

TOUCH_ONLY = {"tie": ("contact",), "slap_hand": ("other",)}
"""Values that matter only on a touch screen, which can tell fingers and hands apart."""

MANNERS = {
    "rings": "Take rings and bracelets off your slapping hand.",
    "taps": "A tap is a slap; agree first if there's a way of slapping you don't want at your table.",
}
"""What every table is reminded of when its manners are read; it is no choice."""

_PLAIN = Rules()


def value_at(rules: Rules, path: str) -> Any:
    """The value of an option, a slap or its parameter by its path; `off` where there is none."""
    head, *steps = path.split(".")
    value = getattr(rules, head)
    for step in steps:
        value = value.get(step, "off") if isinstance(value, dict) else "off"
    return value


def is_met(need: Requirement, rules: Rules) -> bool:
    """Whether the other option has a required value."""
    return value_at(rules, need.other) in need.values


def unmet_requirements(rules: Rules) -> list[Requirement]:
    """The firm requirements of a house's choices that are not met."""
    return [need for need in REQUIREMENTS if need.required and _asks(need, rules) and not is_met(need, rules)]


def has_effect(path: str, rules: Rules) -> bool:
    """Whether one of an option's requirements is met, or it has none; `relevance` knows what else it needs."""
    needs = [need for need in REQUIREMENTS if need.option == path and need.value is None]
    return not needs or any(is_met(need, rules) for need in needs)


def _asks(need: Requirement, rules: Rules) -> bool:
    value = value_at(rules, need.option)
    return bool(value == need.value if need.value is not None else value != value_at(_PLAIN, need.option))
