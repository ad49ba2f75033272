// What travels between browser and server. Printed by `python -m ratscrew.web.typescript`: do not edit.

export const WIRE = "8acfe4c70e38"

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

/** Anything else that I do at the table, where the house has it. */
export type Act = {
  t: "act"
  do: "award" | "choose" | "collect" | "contest" | "fake_slap" | "feint" | "forehead" | "hover" | "notice" | "place" | "reveal" | "slap_down" | "unhover"
  target?: number | null
  half?: "bottom" | "top" | null
  seat?: number | null
  s?: number | null
}

/** I am the host, and no game is on: a bot sits down. */
export type AddBot = {
  t: "bot"
  strength?: "gentle" | "sharp" | "steady" | "bes" | "hapi" | "khonsu" | "min" | "osiris" | "ra" | "sekhmet" | "seshat" | "sobek" | "taweret"
  s?: number | null
}

/** The game is over: deal another to the same seats. */
export type Again = {
  t: "again"
  s?: number | null
}

/** The cards of this game are not shuffled: somebody has laid them out. */
export type Arranged = {
  e: "arranged"
}

/** Somebody came to the table who is not in the game. */
export type Arrived = {
  e: "arrived"
  seat: number
}

/** The answer to a `hello` that said which version it has: nothing is lost, the missing events follow. */
export type Back = {
  t: "back"
  version: number
  seats: Seat[]
  clock: Clock | null
}

/** The people whom the host removed in earlier games, by their player ids: they cannot come back. */
export type Barred = {
  e: "barred"
  whos: number[]
}

/** My page's clock says `c_ms`: whatever I have slapped before, you have. Said while a card can be slapped. */
export type Beat = {
  t: "beat"
  c_ms: number
}

/** The public face of `Dealt`: how many cards each seat was dealt, and what could not be dealt evenly. */
export type Began = {
  e: "began"
  rules: Rules
  held: number[]
  to: Standing
  pile: Shown[]
}

/** `count` cards of a seat went onto the pile as burned cards, one by one: each to the very bottom, or on top. */
export type Burned = {
  e: "burned"
  seat: number
  count: number
  cards: Card[]
  place: "bottom" | "top"
  face_up: boolean
}

/** The connection ends and is not to be tried again by itself: no such room, or another page holds the seat. */
export type Bye = {
  t: "bye"
  why: "closed" | "crowded" | "damaged" | "elsewhere" | "garbage" | "no_room" | "removed" | "too_much" | "unkept"
  wait_s: number
}

/** An option or a parameter, by its path in the rules; `least` and `most` bound a number. */
export type Choice = {
  path: string
  title: string
  hint: string
  kind: string
  default: unknown
  values: Value[]
  least: number | null
  most: number | null
  needs: Needed[]
}

/** `POST /api/house`: a house from choices, which override those of a preset. */
export type Choices = {
  choices: Record<string, unknown>
  preset?: string
}

/** A house: its short text, every option, its sheet, and how it differs from the nearest preset. */
export type Chosen = {
  link: string
  rules: Rules
  sheet: Sheet
  preset: string
  title: string
  differences: string[]
}

/** A seat says that the pile is his: because he slapped it, or because he has won it. */
export type Claimed = {
  e: "claimed"
  seat: number
  what: "collect" | "slap"
  to: Standing
}

/** A countdown begins for `seat`. `left_ms` 0: none. */
export type Clock = {
  t: "clock"
  seat: number
  what: "claim" | "collect" | "fill" | "grab" | "split" | "tie" | "turn"
  left_ms: number
}

/** Nobody may play here before `until_us` (microseconds since 1970), unless the host lifts it. */
export type Closed = {
  e: "closed"
  until_us: number
}

/** A seat says that the claim is false. */
export type Contested = {
  e: "contested"
  seat: number
}

/** A penalty and its parameters. */
export type Cost = {
  kind: string
  says: string
  parameters: Choice[]
}

/** The cards were dealt and `to.turn` leads; `pile` is what could not be dealt evenly. The hands are secret. */
export type Dealt = {
  e: "dealt"
  rules: Rules
  hands: Card[][]
  to: Standing
  pile: Laid[]
}

/** The response: the names of these players are deleted from all games of the room, and no longer shown. */
export type DeletedNames = {
  who: number[]
  done: boolean
}

/** All that can be chosen; `cards` are the names that a list of cards may have. */
export type Described = {
  groups: Group[]
  slaps: SlapKind[]
  wrong_slap: Cost[]
  no_cards: Cost[]
  presets: Preset[]
  cards: string[]
}

/** Your request number `s` is answered: it is done and in the log, or refused. It says nothing of other requests. */
export type Done = {
  t: "done"
  s: number
}

/** A seat slapped the hovering hand of another down. */
export type Downed = {
  e: "downed"
  seat: number
  target: number
}

/** Nobody holds a card and nothing can be slapped: nobody has won. */
export type Drawn = {
  e: "drawn"
  to: Standing
}

/** The response to `GET /api/drill`: cards for practice with a house, which is given by its short text. */
export type Drill = {
  house: string
  cards: Drilled[]
}

/** A card of a drill: the patterns for which it can be slapped, if any, and whether it begins a new pile. */
export type Drilled = {
  card: Card
  slaps: string[]
  fresh: boolean
}

/** A seat is out of the game; its `count` cards go under the pile as burned cards, face down they are secret. */
export type Eliminated = {
  e: "eliminated"
  seat: number
  count: number
  cards: Card[]
  face_up: boolean
}

/** A newcomer is in the game and sits in this circle, in which play goes round. */
export type EventsJoined = {
  e: "joined"
  seat: number
  circle: number[]
}

/** A seat's card came out before its time and lies aside, face up. */
export type Exposed = {
  e: "exposed"
  seat: number
  card: Card
}

/** A seat pretended. */
export type Feinted = {
  e: "feinted"
  seat: number
  what: "card" | "slap"
}

/** The room waits for strangers until `at_us` (since 1970); then bots take empty seats, and the game is dealt. */
export type Filling = {
  e: "filling"
  at_us: number
}

/** `GET /api/games/GAME`: a game that is over, by the name that `welcome` gives. Its text is at `GAME.txt`. */
export type Finished = {
  game: string
  house: string
  seats: Sat[]
  events: Happened[]
  openings: Opening[]
  seed: string | null
}

/** A seat's slap was wrong, on the `streak`-th card in a row; what it costs follows. */
export type Fouled = {
  e: "fouled"
  seat: number
  streak: number
}

/** My number for the next shuffle, whose seed was promised by this hash: each seat gives one, and for good. */
export type Give = {
  t: "nonce"
  promise: string
  nonce: string
  seat?: number | null
  s?: number | null
}

/** A seat gave its top card to another, under its hand. The card is secret: to the public it is None. */
export type Given = {
  e: "given"
  seat: number
  receiver: number
  card: Card | null
}

/** A cheated seat got the top or the bottom half of the cheater's hand, under its own. */
export type Got = {
  e: "got"
  seat: number
  cheater: number
  half: "bottom" | "top"
  count: number
  to: Standing
}

/** A seat has picked up a pile of `count` cards that is not his, but more likely `victim`'s. */
export type Grabbed = {
  e: "grabbed"
  seat: number
  count: number
  victim: number
  to: Standing
}

/** The options of one matter. */
export type Group = {
  title: string
  options: Choice[]
}

/** How somebody's hand looks: its colour by number, and its shape. */
export type Guise = {
  hue: number
  shape: "claw" | "glove" | "leaf" | "palm" | "paw" | "wing"
}

/** A seat's hand lies under the pile until the pile is taken or somebody slaps. */
export type HandBurned = {
  e: "hand_burned"
  seat: number
}

/** An event of a game that is over, `at_ms` after its cards were dealt; what came before has less than 0. */
export type Happened = {
  at_ms: number
  e: Dealt | Played | Passed | Misplayed | Exposed | Slapped | Withdrawn | Fouled | Burned | Given | Struck | Locked | HandBurned | Indebted | Eliminated | Voided | Tied | Claimed | Contested | Resumed | Grabbed | Returned | Stowed | Split | Got | Taken | Arrived | EventsJoined | Touched | Hovered | Downed | Feinted | Spared | Won | Lost | Drawn | Redealt | Began | Reshuffled | Sat | Left | Unnamed | Muted | Barred | Readmitted | Listed | RoomLocked | Filling | Housed | Judged | Weighed | LateSlap | Closed | Lifted | Promised | Nonced | Sealed | Arranged
}

/** The card on its way goes back to the hand: somebody has slapped first. */
export type Held = {
  t: "held"
  seat: number
}

/** The first message: who you are here, and what you have of the room (`game`, `version`). */
export type Hello = {
  t: "hello"
  who?: number[]
  only?: "slaps" | null
  game?: string | null
  version?: number
  page?: string | null
}

/** One hand on a card. Unit: `us` microseconds of reaction, as the judge counts them. */
export type Hit = {
  seat: number
  us: number
  proof: Proof | null
  page: number | null
}

/** I am the host, and no game is on: play this house from now on. */
export type House = {
  t: "house"
  house: string
  s?: number | null
}

/** The host has chosen the house for the next game; `link` is its short text. */
export type Housed = {
  e: "housed"
  rules: Rules
  link: string
}

/** A seat's hand hovers over the pile, or no more. */
export type Hovered = {
  e: "hovered"
  seat: number
  off: boolean
}

/** A seat owes so many cards in all. */
export type Indebted = {
  e: "indebted"
  seat: number
  cards: number
}

/** The response: the room, the seat, and `who`, the player's number in the room, which stays when seats change. */
export type Joined = {
  room: string
  seat: number
  who: number
}

/** A race to slap card `n` was decided: the hands in their order, the winner first; `tie` if a draw decided. */
export type Judged = {
  e: "judged"
  n: number
  pattern: string
  order: Hit[]
  tie: boolean
}

/** A card on the table. No slap may use a burned one (a penalty) or a dead one (played out of turn). */
export type Laid = [Card, "burned" | "dead" | "live", boolean]

/** A hand that came after the verdict on card `n`, or when `n` was covered: no effect, no penalty. */
export type Late = {
  t: "late"
  seat: number
  n: number
  us: number
}

/** A person's hand on card `n` that came after the verdict, or after the card was covered: what it was judged by. */
export type LateSlap = {
  e: "late_slap"
  n: number
  hit: Hit
}

/** I leave my seat for good. */
export type Leave = {
  t: "leave"
  seat?: number | null
  s?: number | null
}

/** Somebody has left his seat for good: of himself, or (`removed`) because the host has sent him away. */
export type Left = {
  e: "left"
  seat: number
  removed: boolean
}

/** I am the host: the room is open again. */
export type Lift = {
  t: "lift"
  s?: number | null
}

/** The host has opened the room again. */
export type Lifted = {
  e: "lifted"
}

/** How a seat's connection is: its round trip, and what that mostly takes longer. */
export type Line = {
  rtt_ms: number
  jitter_ms: number
}

/** How everybody's connection is, by seat; null for a bot, who is gone, and who has just come. */
export type Lines = {
  t: "lines"
  lines: (Line | null)[]
}

/** I am the host: strangers find this room, or do not. */
export type List = {
  t: "list"
  on: boolean
  s?: number | null
}

/** The room is, or is no longer, among those that strangers find. */
export type Listed = {
  e: "listed"
  on: boolean
}

/** I am the host: nobody new can join this room, or everybody with its code can. */
export type Lock = {
  t: "lock"
  on: boolean
  s?: number | null
}

/** A seat may not slap: until card `until` has been turned, until the pile is taken, or in this game any more. */
export type Locked = {
  e: "locked"
  seat: number
  until: number | "game" | "pile"
}

/** My page is to be seen, or hidden behind others: who cannot see a card is not waited for. */
export type Look = {
  t: "look"
  visible: boolean
}

/** A seat slapped what nobody may slap: everybody loses. */
export type Lost = {
  e: "lost"
  seat: number
  to: Standing
}

/** A seat's card came out of turn and lies dead on the pile, at its bottom or on top. */
export type Misplayed = {
  e: "misplayed"
  seat: number
  card: Card
  place: "bottom" | "top"
}

/** Nobody has slapped card `n`, on which these patterns lay. It is told when the card is covered, or taken. */
export type Missed = {
  t: "missed"
  n: number
  patterns: string[]
}

/** The response to a valid pass: whose seats this device holds now. */
export type Moved = {
  room: string
  who: number[]
}

/** I am the host: the signs of a seat are passed on no more, or again. */
export type Mute = {
  t: "mute"
  seat: number
  on: boolean
  s?: number | null
}

/** The host has silenced somebody's reactions, or given them back. */
export type Muted = {
  e: "muted"
  seat: number
  on: boolean
}

/** The choice needs one of these values of another option; `value` None: every value but the default does. */
export type Needed = {
  value: unknown
  option: string
  values: unknown[]
  firm: boolean
}

/** `POST /api/lessons`: a room for one player and the teacher, with the cards in the order that the lesson needs. */
export type NewLesson = {
  name: string
  lesson: "challenge" | "double" | "sandwich" | "slap_in" | "turn" | "wrong"
  guise?: Guise | null
}

/** `POST /api/rooms/CODE/pass`, with the cookies of these seats: a pass that moves them to another device. */
export type NewPass = {
  who: number[]
}

/** `POST /api/rooms`: a room for one player and bots. The game begins at once, or (`wait`) when the host starts it. */
export type NewRoom = {
  name: string
  bots: number
  strength?: "gentle" | "sharp" | "steady" | "bes" | "hapi" | "khonsu" | "min" | "osiris" | "ra" | "sekhmet" | "seshat" | "sobek" | "taweret"
  house?: string
  wait?: boolean
  listed?: boolean
  guise?: Guise | null
  nonce?: string | null
}

/** `POST /api/rooms/CODE/seats`: a seat for one more player. During a game they slap in, or wait. */
export type NewSeat = {
  name: string
  guise?: Guise | null
}

/** Somebody's page has given a number of its own for the next shuffle. */
export type Nonced = {
  e: "nonced"
  seat: number
  nonce: string
}

/** `DELETE /api/rooms/CODE/name`, with the cookies of these players: delete their names from all games of the room. */
export type OldNames = {
  who: number[]
}

/** One of `GET /api/rooms`: a room that anyone may join. `most` is its number of seats; `playing`: a game is on. */
export type OpenRoom = {
  room: string
  host: string
  house: string
  people: number
  bots: number
  most: number
  playing: boolean
}

/** With the `v`-th event a card was turned onto a pile that could then be slapped, and this lay there. */
export type Opening = {
  v: number
  pattern: string
}

/** The response, valid for ten minutes; the other device sends it to `POST /api/rooms/CODE/device`. */
export type Pass = {
  text: string
}

/** Who had to play has lost his last card otherwise: another goes on, or the pile is won. */
export type Passed = {
  e: "passed"
  to: Standing
}

/** What is noted of one seat besides its cards. */
export type Person = {
  playing: boolean
  out: boolean
  strikes: number
  fouls: number
  streak: number
  streak_n: number
  locked: number | "game" | "pile"
  hand_burned: boolean
  debt: number
  convicted: boolean
  touched: boolean
  hovering: boolean
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
  seat?: number | null
}

/** A seat turned a card onto the pile, the `n`-th of this game. */
export type Played = {
  e: "played"
  seat: number
  card: Card
  n: number
  to: Standing
  chance: number
  aside: boolean
  at_ms: number | null
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

/** A house that has a name: in what it differs from `classic`, all its rules, and its text for a link. */
export type Preset = {
  name: string
  title: string
  says: string
  choices: Record<string, unknown>
  rules: Record<string, unknown>
  link: string
}

/** An error response: a code, and a sentence for each problem. */
export type Problem = {
  code: string
  problems: string[]
}

/** The seed of the next game is drawn, and is promised by its hash. It is secret: to the public it is null. */
export type Promised = {
  e: "promised"
  hash: string
  seed: string | null
}

/** What a hand was judged by. Unit: microseconds. */
export type Proof = {
  arrived_us: number
  rtt_us: number
  pressed_us: number
  free_us: number
  purse_us: number
  granted_us: number
  beat_us: number | null
  lag_us: number | null
  app_us: number | null
  control_us: number | null
  kernel_us: number | null
  paint_us: number | null
}

/** `POST /api/quick`: a seat among strangers, in a room that waits for players, or in a new one. */
export type Quick = {
  name: string
  guise?: Guise | null
}

/** I say something by a sign. */
export type React = {
  t: "react"
  what: "clap" | "close" | "hurry" | "laugh" | "oops" | "wow"
  seat?: number | null
  s?: number | null
}

/** Somebody says something by one of six signs. It is not kept. */
export type Reacted = {
  t: "reacted"
  seat: number
  what: "clap" | "close" | "hurry" | "laugh" | "oops" | "wow"
}

/** I am the host: everybody whom I removed may come back. */
export type Readmit = {
  t: "readmit"
  s?: number | null
}

/** The host lets everybody come back who was removed. */
export type Readmitted = {
  e: "readmitted"
}

/** Nobody held a card: all cards were dealt anew, and `to.turn` leads. The hands are secret. */
export type Redealt = {
  e: "redealt"
  hands: Card[][]
  to: Standing
}

/** Your message had no effect; `why` is a code of `ratscrew.errors.Why`. `seat` is which of yours, of several. */
export type Refused = {
  t: "refused"
  what: "act" | "again" | "beat" | "bot" | "house" | "leave" | "lift" | "list" | "lock" | "mute" | "nonce" | "play" | "react" | "readmit" | "remove" | "seen" | "slap" | "start"
  why: string
  seat: number | null
}

/** I am the host: who sits there, person or bot, has to leave. */
export type Remove = {
  t: "remove"
  seat: number
  s?: number | null
}

/** The public face of `Redealt`: how many cards each seat was dealt. */
export type Reshuffled = {
  e: "reshuffled"
  held: number[]
  to: Standing
}

/** Play goes on as it stood before. */
export type Resumed = {
  e: "resumed"
  to: Standing
}

/** It was noticed: the pile lies there again. */
export type Returned = {
  e: "returned"
  seat: number
  to: Standing
}

/** The host has locked the room, so that nobody new can join, or has unlocked it. */
export type RoomLocked = {
  e: "room_locked"
  on: boolean
}

/** The choices of one house; without arguments, those of `classic`. `check.read` makes one that is sound. */
export type Rules = {
  decks: number | "auto"
  pack: "pinochle" | "standard"
  jokers: number
  deal: "one_by_one" | "stacks"
  remainder: "extras" | "jokers" | "pile"
  shuffle: "riffle7" | "uniform"
  direction: "ccw" | "cw"
  max_players: number
  chances: Record<string, number>
  stoppers: string[]
  run_out: "challenger_takes" | "next_continues"
  collect: "auto" | "manual"
  slap_window: "always" | "not_after_fail" | "not_during_challenge"
  final_card_slap: "free" | "normal"
  slaps: Record<string, unknown>
  judge: "auto" | "honour"
  tie: "contact" | "earliest" | "judge" | "void"
  tie_window_ms: number
  withdraw_ms: number
  redneck: "all" | "convicted" | "off"
  hover: "off" | "slap_down"
  slap_hand: "any" | "other"
  feints: boolean
  wrong_slap: Record<string, unknown>
  no_cards: Record<string, unknown>
  max_streak: number
  burn_face_up: boolean
  out_of_turn: "aside" | "dead" | "reject"
  dead_place: "bottom" | "top"
  dead_pattern: "block" | "skip"
  out_of_turn_burn: number
  cheat: "off" | "split"
  slap_in: "always" | "no" | "while_two_active"
  late_join: "no" | "slap_in"
  join_seat: "choose" | "end"
  endgame: "must_play" | "play_out" | "sole_holder"
  last_chance: number
  last_chance_who: "anyone" | "opponent"
  stalemate: "draw" | "last_player" | "redeal"
  triple_six_ban: boolean
  pickup: "keep" | "shuffle"
  turn_ms: number
  collect_delay_ms: number
  contest_ms: number
  hover_ms: number
}

/** Somebody took a seat: a person, or a bot of the strength `bot`. */
export type Sat = {
  e: "sat"
  seat: number
  name: string
  bot: string | null
  who: number | null
  guise: Guise | null
}

/** The cards are shuffled from a seed and these numbers, by seat; `commitment` is the hash of all that. */
export type Sealed = {
  e: "sealed"
  commitment: string
  nonces: string[]
  promise: string | null
  seed: string | null
}

/** Who sits somewhere: `bot` is the bot's strength, `here` whether a person is connected. */
export type Seat = {
  name: string
  bot: string | null
  here: boolean
  guise: Guise
  gone: boolean
  muted: boolean
}

/** The rules of one matter. */
export type Section = {
  title: string
  lines: SheetLine[]
}

/** My page shows card `n` from `p_ms` of its clock on; it draws a frame each `f_ms`. */
export type Seen = {
  t: "seen"
  n: number
  p_ms: number
  f_ms: number
}

/** The rules of a house, as a family would read them aloud. */
export type Sheet = {
  title: string
  sections: Section[]
}

/** One rule. `slap` names the pattern of which it speaks, and `cards` is a pile that shows it, the newest last. */
export type SheetLine = {
  says: string
  cards: string
  slap: string
}

/** A card of the pile as everybody sees it: None if it lies face down. */
export type Shown = [Card | null, "burned" | "dead" | "live"]

/** I slap card `n`, painted at `p_ms`, at `t_ms` of my page's clock; `s` counts my slaps. `seat` is which of mine, */
export type Slap = {
  t: "slap"
  n: number
  p_ms: number
  t_ms: number
  s: number
  contact?: number
  after?: number | null
  seat?: number | null
}

/** A slap pattern, a pile that shows it, and its parameters; `only`: the value of its only one is the switch. */
export type SlapKind = {
  name: string
  title: string
  says: string
  example: string
  only: string | null
  parameters: Choice[]
}

/** Hands came down on the pile, in this order; `under`: at what lay there before the newest card. */
export type Slapped = {
  e: "slapped"
  seats: number[]
  under: boolean
}

/** The response to too many requests (429), or while the server is busy (503): try again in `wait_s` seconds. */
export type SlowDown = {
  code: "busy" | "slow_down"
  problems: string[]
  wait_s: number
}

/** Card `n` comes next, and is to be seen at `at_ms` of your page's clock: everybody sees it at that moment. */
export type Soon = {
  t: "soon"
  n: number
  at_ms: number
}

/** A seat holds every card and turns `to.left` of them as a last chance for who has none. */
export type Spared = {
  e: "spared"
  seat: number
  to: Standing
}

/** It was noticed late: the cheater's hand is cut in half, and `to.turn` chooses one. */
export type Split = {
  e: "split"
  seat: number
  to: Standing
}

/** Where play stands: who has to act, and under which challenge. */
export type Standing = {
  phase: "claim" | "grab" | "last" | "over" | "play" | "split" | "tie" | "won"
  turn: number
  by: number | null
  left: number
  why: "challenge" | "sole_holder" | "stalemate" | null
}

/** I am the host: deal the first game. */
export type Start = {
  t: "start"
  s?: number | null
}

/** It was not noticed: the cards are under the seat's hand, and it leads. */
export type Stowed = {
  e: "stowed"
  seat: number
  to: Standing
}

/** A seat without cards has its `strikes`-th strike. */
export type Struck = {
  e: "struck"
  seat: number
  strikes: number
}

/** A seat took the whole pile of `count` cards under its hand and leads. */
export type Taken = {
  e: "taken"
  seat: number
  count: number
  why: string
  to: Standing
  aside: number | null
  order: Card[] | null
}

/** The response: the room and the seat, and in `slaps` which top cards are to be slapped, the newest card last. */
export type Taught = {
  room: string
  seat: number
  who: number
  slaps: Card[][]
}

/** Hands came down together, in order of arrival; the house's judge decides. */
export type Tied = {
  e: "tied"
  seats: number[]
  to: Standing
}

/** Something happened, and is in the log. `v` counts a game's events from 1; none is left out. */
export type Told = {
  t: "told"
  v: number
  e: Dealt | Played | Passed | Misplayed | Exposed | Slapped | Withdrawn | Fouled | Burned | Given | Struck | Locked | HandBurned | Indebted | Eliminated | Voided | Tied | Claimed | Contested | Resumed | Grabbed | Returned | Stowed | Split | Got | Taken | Arrived | EventsJoined | Touched | Hovered | Downed | Feinted | Spared | Won | Lost | Drawn | Redealt | Began | Reshuffled | Sat | Left | Unnamed | Muted | Barred | Readmitted | Listed | RoomLocked | Filling | Housed | Judged | Weighed | LateSlap | Closed | Lifted | Promised | Nonced | Sealed | Arranged
}

/** A seat touched its forehead. */
export type Touched = {
  e: "touched"
  seat: number
}

/** A seat's top card is on its way, face down; `played` follows, or `held`. */
export type Turning = {
  t: "turning"
  seat: number
}

/** You say too much: your last message is passed over, and so is what you say within `wait_ms`. */
export type Unheard = {
  t: "unheard"
  wait_ms: number
}

/** Somebody's name was deleted: from now on, and in whatever is kept of the room, he is called "–". */
export type Unnamed = {
  e: "unnamed"
  seat: number
}

/** A value that can be chosen, what it means, and whether it only means something on a touch screen. */
export type Value = {
  value: string | boolean | number
  says: string
  touch: boolean
}

/** One game as everybody at the table sees it. */
export type View = {
  rules: Rules
  held: number[]
  pile: Shown[]
  to: Standing
  circle: number[]
  people: Person[]
  asides: Card[][]
  n: number
  chance: number
  opening: Card | null
  voided: boolean
  tied: number[]
  claimed: number[]
  claim: "collect" | "slap" | null
  gifts: number
  grabbed: Shown[]
  thief: number | null
  yet: number[]
  back: Standing | null
  end: "drawn" | "lost" | "won" | null
  withdrawn: number
}

/** Hands came down together and nobody can tell: the pattern counts for nothing. In order of arrival. */
export type Voided = {
  e: "voided"
  seats: number[]
}

/** A hand on card `n` where there was nothing to slap: what it was judged by. */
export type Weighed = {
  e: "weighed"
  n: number
  hit: Hit
}

/** The answer to `hello`: the table as it is. `you` is your seat, or null for who watches; `yours` are all seats in */
export type Welcome = {
  t: "welcome"
  wire: string
  room: string
  game: string
  version: number
  you: number | null
  yours: number[]
  host: number
  seats: Seat[]
  house: string
  listed: boolean
  locked: boolean
  removed: number
  closed_ms: number | null
  view: View | null
  clock: Clock | null
  promise: string | null
  commitment: string | null
}

/** The newest card came too late to cover what was slapped, and is its owner's again. */
export type Withdrawn = {
  e: "withdrawn"
  seat: number
  card: Card
  to: Standing
  chance: number
  aside: boolean
}

/** A seat has won the game. */
export type Won = {
  e: "won"
  seat: number
  to: Standing
}

export type ServerMessage = Welcome | Back | Soon | Lines | Ping | Unheard | Bye | Told | Clock | Turning | Held | Late | Missed | Presence | Reacted | Refused | Done
export type ClientMessage = Hello | Play | Slap | Seen | Beat | Look | Pong | Act | House | Start | Lift | Again | AddBot | Remove | Leave | Mute | List | Lock | Readmit | React | Give
