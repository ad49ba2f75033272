// What travels between browser and server. Printed from wire.py by `python -m ratscrew.web.typescript`: do not edit.

export const WIRE = "2b76822316f1"

export type Card =
  | "2C" | "2D" | "2H" | "2S"
  | "3C" | "3D" | "3H" | "3S"
  | "4C" | "4D" | "4H" | "4S"
  | "5C" | "5D" | "5H" | "5S"
  | "6C" | "6D" | "6H" | "6S"
  | "7C" | "7D" | "7H" | "7S"
  | "8C" | "8D" | "8H" | "8S"
  | "9C" | "9D" | "9H" | "9S"
  | "TC" | "TD" | "TH" | "TS"
  | "JC" | "JD" | "JH" | "JS"
  | "QC" | "QD" | "QH" | "QS"
  | "KC" | "KD" | "KH" | "KS"
  | "AC" | "AD" | "AH" | "AS"
  | "JKB" | "JKR"

/** The game is over: deal another to the same seats. */
export type Again = {
  t: "again"
}

/** The answer to a `hello` that said which version it has: nothing is lost, the missing events follow. */
export type Back = {
  t: "back"
  version: number
  seats: Seat[]
  clock: Clock | null
}

/** The public face of `Dealt`: how many cards each seat was dealt. */
export type Began = {
  e: "began"
  rules: Rules
  held: number[]
  to: Standing
}

/** Cards of a seat went face up under the pile, one by one, each to the very bottom. */
export type Burned = {
  e: "burned"
  seat: number
  cards: Card[]
  place: "bottom"
  to: Standing
}

/** The connection ends and is not to be tried again: no such room, or another page holds the seat. */
export type Bye = {
  t: "bye"
  why: "closed" | "elsewhere" | "garbage" | "no_room"
}

/** A countdown begins: `seat` has to turn a card, or will take the pile when it ends. `left_ms` 0: none. */
export type Clock = {
  t: "clock"
  seat: number
  what: "collect" | "turn"
  left_ms: number
}

/** A seat slapped a pile that has no pattern on it; what it costs follows. */
export type Fouled = {
  e: "fouled"
  seat: number
}

/** The card on its way goes back to the hand: somebody has slapped first. */
export type Held = {
  t: "held"
  seat: number
}

/** The first message: which room, with which seat's token, and what you have of it (`game`, `version`). */
export type Hello = {
  t: "hello"
  room: string
  token?: string | null
  game?: string | null
  version?: number
}

/** One hand in a race. Unit: `us` microseconds from the card's reveal to the slap, as the judge counts them. */
export type Hit = {
  seat: number
  us: number
}

/** The answer: where to go and the secret that makes the seat yours. */
export type Joined = {
  room: string
  seat: number
  token: string
}

/** A race to slap card `n` was decided: the hands in their order, the winner first; `tie` if a draw decided. */
export type Judged = {
  e: "judged"
  n: number
  pattern: string
  order: Hit[]
  tie: boolean
}

/** A card on the table. A burned or dead one is not live: no slap may use it. */
export type Laid = [Card, boolean]

/** A hand that came after the verdict on card `n`, or when `n` was covered: no effect, no penalty. */
export type Late = {
  t: "late"
  seat: number
  n: number
  us: number
}

/** `POST /api/rooms`: a room for a person and bots; the game begins at once. */
export type NewRoom = {
  name: string
  bots: number
  strength: "gentle" | "sharp" | "steady"
  preset?: string
}

/** Answer at once with `pong` and the same `k`. */
export type Ping = {
  t: "ping"
  k: number
}

/** Turn my top card; `n` is the newest card I have seen, so that a message sent twice plays once. */
export type Play = {
  t: "play"
  n: number
}

/** A seat turned its top card onto the pile; it is the `n`-th card turned in this game. */
export type Played = {
  e: "played"
  seat: number
  card: Card
  n: number
  to: Standing
}

/** The answer to `ping`, with my page's clock. */
export type Pong = {
  t: "pong"
  k: number
  c_ms: number
}

/** A person has come or gone; who is gone is played for. */
export type Presence = {
  t: "presence"
  seat: number
  here: boolean
}

/** The answer to a request that cannot be met: a code, and each problem in a sentence. */
export type Problem = {
  code: string
  problems: string[]
}

/** Your message had no effect; `why` is a code of `ratscrew.errors.Why`. */
export type Refused = {
  t: "refused"
  what: "again" | "play" | "slap"
  why: string
}

/** The choices of one house; without arguments, those of `classic`. */
export type Rules = {
  direction: "ccw" | "cw"
  max_players: number
  chances: Record<string, number>
  slaps: Record<string, boolean>
  wrong_slap: Record<string, boolean | number | string>
  no_cards: Record<string, boolean | number | string>
  turn_ms: number
  collect_delay_ms: number
}

/** Somebody took a seat: a person, or a bot of the strength `bot`. */
export type Sat = {
  e: "sat"
  seat: number
  name: string
  bot: string | null
}

/** Who sits somewhere: `bot` is the bot's strength, `here` whether a person is connected. */
export type Seat = {
  name: string
  bot: string | null
  here: boolean
}

/** I slap card `n`, painted at `p_ms`, at `t_ms` of my page's clock; `s` counts my slaps. */
export type Slap = {
  t: "slap"
  n: number
  p_ms: number
  t_ms: number
  s: number
}

/** Where play stands: whose turn it is, and under which challenge. */
export type Standing = {
  phase: "over" | "play" | "won"
  turn: number
  by: number | null
  left: number
  why: "challenge" | "stalemate" | null
}

/** A seat without cards has its `strikes`-th strike; `barred` if it may not slap any more in this game. */
export type Struck = {
  e: "struck"
  seat: number
  strikes: number
  barred: boolean
}

/** A seat took the whole pile under its hand and leads. */
export type Taken = {
  e: "taken"
  seat: number
  cards: Card[]
  why: string
  to: Standing
}

/** Something happened, and is in the log. `v` counts a game's events from 1; none is left out. */
export type Told = {
  t: "told"
  v: number
  e: Began | Played | Fouled | Burned | Struck | Taken | Won | Sat | Judged
}

/** A seat's top card is on its way, face down; `played` follows, or `held`. */
export type Turning = {
  t: "turning"
  seat: number
}

/** One game as everybody at the table sees it. */
export type View = {
  rules: Rules
  held: number[]
  pile: Laid[]
  to: Standing
  strikes: number[]
  barred: boolean[]
  n: number
}

/** The answer to `hello`: the table as it is. `you` is your seat, or null for who watches. */
export type Welcome = {
  t: "welcome"
  wire: string
  room: string
  game: string
  version: number
  you: number | null
  seats: Seat[]
  view: View | null
  clock: Clock | null
}

/** A seat holds every card: the game is over. */
export type Won = {
  e: "won"
  seat: number
  to: Standing
}

export type ServerMessage = Welcome | Back | Told | Turning | Held | Late | Presence | Clock | Refused | Ping | Bye
export type ClientMessage = Hello | Play | Slap | Pong | Again
