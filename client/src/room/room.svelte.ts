// One room as this page knows it. The server alone decides; here its messages become what is shown, in their order.
import { rankName } from '../cards/card'
import { buzz, sound } from '../sound'
import type { Label } from '../table/hands'
import type { Table } from '../table/table'
import { Talk, type When } from '../net/talk'
import { tokenFor } from '../net/rooms'
import type { Act, Bye, ClientMessage, Clock, Refused, Seat, ServerMessage, Told, View, Welcome } from '../wire'
import { words } from '../words'
import { deeds, type Deed } from './deeds'
import { follow } from './follow'
import { headline, type Headline } from './headline'
import { chancesOf, challengeOf, topCard, turnOf } from './read'
import { show } from './shows'
import { ms, noteTime } from './tally'

const HEADLINE_MS = 2000
const SAME_HAND_MS = 400 // within so long the finger that has turned a card is still the hand that did
const END_MS = 1500 // the last pile is seen on its way before the end is announced
const AGAIN_MS = 250 // a second press so soon is the same wish

export interface Countdown extends Clock {
  ends: number
}

export class Room {
  seats = $state.raw<Seat[]>([])
  you = $state<number | null>(null)
  host = $state(0)
  house = $state('')
  closedMs = $state<number | null>(null)
  view = $state.raw<View | null>(null)
  game = $state('')
  clock = $state.raw<Countdown | null>(null)
  online = $state(false)
  entered = $state(false)
  farewell = $state<Bye['why'] | null>(null)
  headline = $state.raw<Headline | null>(null)
  ended = $state(false)
  /** When I turned a card last, of this page's clock: my hand is still on it for a moment. */
  turnedAt = $state(-Infinity)
  /** Behind whom I should like to sit, if a slap brings me in. */
  after = $state<number | null>(null)
  /** What was refused last; each one is a new object, so that it can shake again. */
  refusal = $state.raw<{ what: Refused['what']; text: string } | null>(null)
  polite = $state('')
  urgent = $state('')

  readonly top = $derived(topCard(this.view))
  readonly challenge = $derived(this.view && challengeOf(this.view))
  readonly myTurn = $derived(this.you !== null && turnOf(this.view) === this.you)
  readonly held = $derived(this.you === null ? 0 : (this.view?.held[this.you] ?? 0))
  readonly deeds: Deed[] = $derived(this.view && this.you !== null ? deeds(this.view, this.you, (seat) => this.name(seat)) : [])

  private table: Table | null = null
  private painted = { n: -1, at: 0 }
  private slaps = 0
  private pressed = -1
  private asked = { n: -1, at: 0 }
  private turnedBy = -1
  private gifts = 0
  private timers: Record<string, number> = {}
  private readonly talk: Talk

  constructor(readonly code: string) {
    this.talk = new Talk(code, tokenFor(code), this)
  }

  leave() {
    this.talk.end()
    for (const timer of Object.values(this.timers)) clearTimeout(timer)
  }

  /** The page shows the room on this table from now on. */
  showOn(table: Table) {
    this.table = table
    table.chances = (card) => (this.view ? chancesOf(this.view, card) : 0)
    this.layAll()
  }

  relayout() {
    this.table?.relayout()
  }

  name(seat: number): string {
    return this.seats[seat]?.name ?? ''
  }

  /** What I do */

  send(message: ClientMessage): boolean {
    return this.talk.send(message)
  }

  slap(event: Event, contact = 1) {
    if (this.you === null || !this.view) return
    if (this.sameHand(event)) return this.refuse('slap', words.refused.withdraw!)
    const { n, at } = this.painted
    const more = contact > 1 && this.pressed === n // more fingers of the same hand
    if (!more) this.slaps++
    const sent = n >= 0 && this.send({ t: 'slap', n, p_ms: at, t_ms: event.timeStamp, s: this.slaps, contact, after: this.after })
    this.pressed = n
    if (more) return
    if (!sent) return this.refuse('slap', '')
    buzz(8)
    sound.slap()
    this.table?.hands.mine(this.you)
  }

  /** My deck is pressed: my card, or the pile that I have won and may take. */
  play(event: Event) {
    if (this.you === null || !this.view) return
    const { n, to } = this.view
    if (to.phase === 'won' && to.turn === this.you && this.deeds[0]?.do === 'collect') return this.act(this.deeds[0])
    const soon = this.myTurn || event.timeStamp - this.asked.at < AGAIN_MS
    if (this.asked.n === n && soon) return // it is on its way; a second press is the same wish
    if (!this.send({ t: 'play', n })) return this.refuse('play', '')
    this.asked = { n, at: event.timeStamp }
    this.turnedBy = event instanceof PointerEvent && event.pointerType === 'touch' ? event.pointerId : -1
  }

  act({ do: what, target, half }: Omit<Act, 't'>) {
    if (!this.send({ t: 'act', do: what, target, half })) this.refuse('act', '')
  }

  /** What the key of a laptop does here, if anything. */
  key(code: string): boolean {
    const deed = this.deeds.find((deed) => deed.key === code)
    if (deed) this.act(deed)
    return !!deed
  }

  /** What I hear */

  hear(message: ServerMessage, when: When) {
    switch (message.t) {
      case 'welcome':
        return this.enter(message)
      case 'back':
        this.seats = message.seats
        this.setClock(message.clock)
        return this.layAll() // a card that was in the air when the line broke is not
      case 'told':
        return this.told(message, when)
      case 'turning':
        return this.table?.fly(message.seat)
      case 'held':
        this.asked.n = -1
        return this.table?.goBack(message.seat)
      case 'late':
        return this.aside(message.seat, words.say.time(ms(message.us)!))
      case 'presence':
        this.seats = this.seats.map((seat, i) => (i === message.seat ? { ...seat, here: message.here } : seat))
        return
      case 'clock':
        return this.setClock(message)
      case 'refused':
        return this.refuse(message.what, words.refused[message.why] ?? '', message.why === 'twice')
      case 'bye':
        this.farewell = message.why
        return
    }
  }

  reach(yes: boolean) {
    this.online = yes
    this.asked.n = -1
    if (!yes) this.clock = null
  }

  private enter(message: Welcome) {
    this.entered = true
    if (this.game !== message.game) this.painted = { n: -1, at: 0 }
    this.game = message.game
    this.you = message.you
    this.host = message.host
    this.house = message.house
    this.closedMs = message.closed_ms
    this.seats = message.seats
    this.view = message.view
    this.headline = null
    this.ended = message.view?.to.phase === 'over'
    clearTimeout(this.timers.end)
    this.setClock(message.clock)
    this.layAll()
    this.callTurn(false)
  }

  private told({ e: event }: Told, when: When) {
    const before = this.view
    const mineBefore = this.myTurn
    if (event.e === 'sat') this.seat(event.seat, event.name, event.bot)
    if (event.e === 'judged') this.noteMine(event.order)
    if (event.e === 'housed') this.house = event.link
    if (event.e === 'closed') this.closedMs = event.until_us / 1000
    if (event.e === 'lifted') this.closedMs = null
    if (event.e === 'played' && event.seat === this.you) this.turnedAt = performance.now()
    this.view = follow(before, event)
    if (when === 'live') {
      const says = headline(event, this.view, (seat) => (seat === this.you ? null : this.name(seat)))
      if (says && event.e === 'taken' && this.headline?.small === words.say.tie) says.small += ` (${words.say.tie})`
      if (says) this.announce(says)
      this.gifts = event.e === 'given' ? this.gifts + 1 : 0
      const { table, view, you } = this
      show(event, { table, view, you, label: this.label, layAll: this.layAll, seen: this.seen }, Math.max(0, this.gifts - 1))
    }
    if (when === 'level') this.layAll()
    const over = this.view?.to.phase === 'over'
    this.ended = this.ended && over
    if (over && before?.to.phase !== 'over') this.later('end', when === 'live' ? END_MS : 0, () => (this.ended = true))
    if (when !== 'behind') this.callTurn(mineBefore)
  }

  private seat(seat: number, name: string, bot: string | null) {
    const seats = [...this.seats]
    seats[seat] = { name, bot, here: seats[seat]?.here ?? bot === null }
    this.seats = seats
  }

  private noteMine(order: readonly { seat: number; us: number }[]) {
    const mine = order.find((hit) => hit.seat === this.you)
    if (mine) noteTime(this.game, mine.us)
  }

  private readonly layAll = () => {
    const view = this.view
    if (!view) return
    this.table?.lay(view.pile, () => {
      if (this.painted.n !== view.n) this.seen(view.n)
    })
  }

  private readonly seen = (n: number) => {
    this.painted = { n, at: performance.now() }
  }

  private readonly label = (seat: number, time: string): Label => {
    return { who: seat === this.you ? words.seat.you : this.name(seat), time }
  }

  private aside(seat: number, time: string) {
    if (seat !== this.you) sound.slap()
    this.table?.hands.aside(seat, this.label(seat, time), 'late')
  }

  /** Where the other hand has to slap, the finger that has just turned a card does not. */
  private sameHand(event: Event): boolean {
    const rules = this.view?.rules
    if (rules?.slap_hand !== 'other' || !(event instanceof PointerEvent)) return false
    return event.pointerId === this.turnedBy && performance.now() - this.turnedAt < Math.max(rules.withdraw_ms, SAME_HAND_MS)
  }

  private setClock(clock: Clock | null) {
    this.clock = clock && clock.left_ms > 0 ? { ...clock, ends: performance.now() + clock.left_ms } : null
  }

  private announce(says: Headline) {
    if (says.aloud) this.polite = says.aloud
    this.headline = says.big ? says : null // the matter of the moment takes its place
    if (!says.big) return
    this.later('headline', HEADLINE_MS, () => (this.headline = null))
  }

  private callTurn(mineBefore: boolean) {
    if (!this.myTurn) this.urgent = ''
    if (!this.myTurn || mineBefore) return
    this.urgent = this.turnWords()
    sound.turn()
  }

  private turnWords(): string {
    const challenge = this.challenge
    if (!challenge) return words.say.yourTurn
    return words.say.yourTurnBeat(words.status.challenge(this.name(challenge.by), rankName(challenge.card)), challenge.left)
  }

  private refuse(what: Refused['what'], text: string, slapped = false) {
    if (what === 'slap' && !slapped && this.you !== null) this.table?.hands.withdraw(this.you)
    if (what === 'play') this.asked.n = -1
    this.refusal = { what, text }
    this.later('refusal', 1500, () => (this.refusal = null))
  }

  private later(name: string, wait: number, act: () => void) {
    clearTimeout(this.timers[name])
    this.timers[name] = window.setTimeout(act, wait)
  }
}
