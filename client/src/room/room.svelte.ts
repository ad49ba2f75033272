// One room as this page knows it. The server alone decides; here its messages become what is shown, in their order.
import { rankName } from '../cards/card'
import { buzz, sound } from '../sound'
import type { Label } from '../table/hands'
import type { Table } from '../table/table'
import { Talk, type When } from '../net/talk'
import { tokenFor } from '../net/rooms'
import type { Bye, Clock, Refused, Seat, ServerMessage, Told, View, Welcome } from '../wire'
import { words } from '../words'
import { challengeOf, follow, topCard, type TableEvent } from './follow'
import { headline, type Headline } from './headline'
import { ms, noteTime } from './tally'

const HEADLINE_MS = 2000
const END_MS = 1500 // the last pile is seen on its way before the end is announced

export interface Countdown extends Clock {
  ends: number
}

export class Room {
  seats = $state.raw<Seat[]>([])
  you = $state<number | null>(null)
  view = $state.raw<View | null>(null)
  game = $state('')
  clock = $state.raw<Countdown | null>(null)
  online = $state(false)
  entered = $state(false)
  farewell = $state<Bye['why'] | null>(null)
  headline = $state.raw<Headline | null>(null)
  ended = $state(false)
  /** What was refused last; each one is a new object, so that it can shake again. */
  refusal = $state.raw<{ what: Refused['what']; text: string } | null>(null)
  polite = $state('')
  urgent = $state('')

  readonly top = $derived(topCard(this.view))
  readonly challenge = $derived(this.view && challengeOf(this.view))
  readonly myTurn = $derived(this.view?.to.phase === 'play' && this.view.to.turn === this.you)
  readonly held = $derived(this.you === null ? 0 : (this.view?.held[this.you] ?? 0))

  private table: Table | null = null
  private painted = { n: -1, at: 0 }
  private slaps = 0
  private asked = -1
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
    this.layAll()
  }

  relayout() {
    this.table?.relayout()
  }

  name(seat: number): string {
    return this.seats[seat]?.name ?? ''
  }

  /** What I do */

  slap(event: Event) {
    if (this.you === null || !this.view) return
    const { n, at } = this.painted
    const sent = n >= 0 && this.talk.send({ t: 'slap', n, p_ms: at, t_ms: event.timeStamp, s: ++this.slaps })
    if (!sent) return this.refuse('slap', '')
    buzz(8)
    sound.slap()
    this.table?.hands.mine(this.you)
  }

  play() {
    if (this.you === null || !this.view) return
    if (this.asked === this.view.n) return // it is on its way; a second press is the same wish
    if (!this.talk.send({ t: 'play', n: this.view.n })) return this.refuse('play', '')
    this.asked = this.view.n
  }

  again() {
    this.talk.send({ t: 'again' })
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
        this.asked = -1
        return this.table?.goBack(message.seat)
      case 'late':
        return this.aside(message.seat, words.say.time(ms(message.us)!), 'late')
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
    this.asked = -1
    if (!yes) this.clock = null
  }

  private enter(message: Welcome) {
    this.entered = true
    if (this.game !== message.game) this.painted = { n: -1, at: 0 }
    this.game = message.game
    this.you = message.you
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
    this.view = follow(before, event)
    if (when === 'live') this.show(event)
    if (when === 'level') this.layAll()
    this.ended = this.ended && this.view?.to.phase === 'over'
    if (event.e === 'won') this.after('end', when === 'live' ? END_MS : 0, () => (this.ended = true))
    if (when !== 'behind') this.callTurn(mineBefore)
  }

  /** An event as it is seen on the table. */
  private show(event: TableEvent) {
    const table = this.table
    const depth = this.view?.pile.length ?? 0
    const says = headline(event, this.view, (seat) => (seat === this.you ? null : this.name(seat)))
    const tie = words.say.tie
    if (says && event.e === 'taken' && this.headline?.small === tie) says.small += ` (${tie})`
    if (says) this.announce(says)
    switch (event.e) {
      case 'began':
        return this.layAll()
      case 'played':
        table?.reveal(event.card, depth, () => this.seen(event.n))
        return sound.card()
      case 'judged': {
        const order = event.order.map((hit) => ({ ...hit, label: this.label(hit.seat, words.say.time(ms(hit.us)!)) }))
        if (event.order[0]?.seat === this.you) buzz(18)
        return table?.hands.judged(order, sound.slap)
      }
      case 'taken':
        return table?.take(event.seat, event.cards.length, sound.take)
      case 'fouled':
        if (event.seat === this.you) buzz([30, 40, 30])
        sound.wrong()
        return this.aside(event.seat, words.say.foulHand, 'wrong')
      case 'burned':
        return table?.burn(event.seat, event.cards, depth)
      case 'won':
        if (event.seat === this.you) sound.won()
    }
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

  private layAll() {
    const view = this.view
    if (!view) return
    this.table?.lay(view.pile, () => {
      if (this.painted.n !== view.n) this.seen(view.n)
    })
  }

  private seen(n: number) {
    this.painted = { n, at: performance.now() }
  }

  private aside(seat: number, time: string, verdict: 'late' | 'wrong') {
    if (seat !== this.you && verdict === 'late') sound.slap()
    this.table?.hands.aside(seat, this.label(seat, time), verdict)
  }

  private label(seat: number, time: string): Label {
    return { who: seat === this.you ? words.seat.you : this.name(seat), time }
  }

  private setClock(clock: Clock | null) {
    this.clock = clock && clock.left_ms > 0 ? { ...clock, ends: performance.now() + clock.left_ms } : null
  }

  private announce(says: Headline) {
    this.headline = says
    if (says.aloud) this.polite = says.aloud
    this.after('headline', HEADLINE_MS, () => (this.headline = null))
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
    if (what === 'play') this.asked = -1
    this.refusal = { what, text }
    this.after('refusal', 1500, () => (this.refusal = null))
  }

  private after(name: string, wait: number, act: () => void) {
    clearTimeout(this.timers[name])
    this.timers[name] = window.setTimeout(act, wait)
  }
}
