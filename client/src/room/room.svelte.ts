// One room as this page knows it. The server alone decides; here its messages become what is shown, in their order.
import { buzz, sound } from '../sound'
import type { Label } from '../table/hands'
import type { Table } from '../table/table'
import { Beats } from '../net/beats'
import { Talk, type When } from '../net/talk'
import { forgetSeat, noteSeat, seatsOf } from '../net/rooms'
import type { Act, ClientMessage, Appearance, Late, Line, Refused, Seat, ServerMessage, EventMessage, View, Welcome } from '../wire'
import { settings } from '../settings.svelte'
import { Signs } from '../talk/signs.svelte'
import { words } from '../words/room'
import { aloud, cardAloud } from './aloud'
import { deeds, type Deed } from './deeds'
import { running, type Countdown } from './countdown'
import type { Farewell, Old } from './farewell'
import { follow } from './follow'
import { headline, turnWords } from './headline'
import { Presses } from './presses'
import { isBarred } from './mine'
import { ms } from './races'
import { chancesOf, challengeOf, holdsAll, topCard, turnOf } from './read'
import { Says } from './says.svelte'
import { Score } from './score.svelte'
import { changed, appearanceOf, hostOf, inSentence, seated } from './seats'
import { show } from './shows'

const END_MS = 1500 // the last pile is seen on its way before the end is announced
/** What contradicts no hint: a card on the same pile, what hands do over it, and what a wrong slap costs. */
const HINT_STAYS = new Set<EventMessage['e']['e']>(['played', 'passed', 'touched', 'hovered', 'feinted', 'burned', 'struck', 'locked', 'hand_burned', 'indebted', 'eliminated'])
const RESULTS = new Set<EventMessage['e']['e']>(['judged', 'measured', 'slapped', 'taken'])

export class Room {
  seats = $state.raw<Seat[]>([])
  /** My seat, or the first of those in front of this page. */
  you = $state<number | null>(null)
  /** All seats in front of this page. */
  yours = $state.raw<readonly number[]>([])
  readonly host = $derived(hostOf(this.seats))
  listed = $state(false)
  /** Nobody new can join. */
  locked = $state(false)
  /** How many people the host has removed, who cannot come back. */
  removed = $state(0)
  house = $state('')
  closedMs = $state<number | null>(null)
  view = $state.raw<View | null>(null)
  game = $state('')
  clock = $state.raw<Countdown | null>(null)
  online = $state(false)
  /** How everybody's connection is, by seat. */
  lines = $state.raw<readonly (Line | null)[]>([])
  entered = $state(false)
  farewell = $state<Farewell | null>(null)
  backIn = $state(0) // seconds, where a farewell is not for good
  ended = $state(false)
  /** When a seat of mine turned a card last, of this page's clock: its hand is still on it for a moment. */
  turnedAt = $state.raw<Readonly<Record<number, number>>>({})
  /** Behind whom I should like to sit, if a slap brings me in. */
  after = $state<number | null>(null)
  readonly says = new Says()
  readonly signs = new Signs()
  readonly score = new Score()
  /** Who else is told what is heard; the view is still the one before. */
  readonly ears = new Set<(message: ServerMessage | Old, when: When) => void>()

  readonly top = $derived(topCard(this.view))
  readonly challenge = $derived(this.view && challengeOf(this.view))
  readonly myTurn = $derived(this.you !== null && turnOf(this.view) === this.you)
  readonly held = $derived(this.you === null ? 0 : (this.view?.held[this.you] ?? 0))
  private readonly inCompany = $derived(this.seats.some((seat, i) => i !== this.you && seat.here && seat.bot === null))
  readonly deeds: Deed[] = $derived(this.you === null ? [] : this.deedsOf(this.you))

  private table: Table | null = null
  private readonly presses = new Presses()
  private readonly beats = new Beats((c_ms) => this.send({ t: 'beat', c_ms }))
  private gifts = 0
  private ending = 0
  private readonly talk: Talk
  private offered = false

  /** For those who sit in front of this page, or for none, only to watch. */
  constructor(readonly code: string, private readonly who: readonly number[] = seatsOf(code)) {
    this.talk = new Talk(code, who, this)
  }

  leave() {
    this.talk.leave()
    this.beats.end()
    this.says.end()
    this.signs.end()
    clearTimeout(this.ending)
  }

  /** The page shows the room on this table from now on. */
  showOn(table: Table) {
    this.table = table
    table.chances = (card) => (this.view ? chancesOf(this.view, card) : 0)
    table.hands.appearance = this.appearance
    this.layAll()
  }

  relayout() {
    this.table?.relayout()
  }

  name(seat: number): string {
    return inSentence(this.seats[seat]?.name ?? '')
  }

  readonly appearance = (seat: number): Appearance => appearanceOf(this.seats, seat)

  /** Whose name is to be said; null for me, if I am alone in front of this page. */
  readonly calls = (seat: number): string | null => (seat === this.you && this.yours.length === 1 ? null : this.name(seat))

  deedsOf(seat: number): Deed[] {
    return this.view ? deeds(this.view, seat, (other) => this.name(other)) : []
  }

  /** What I do; `seat` is for which of mine */

  send(message: ClientMessage): boolean {
    return this.talk.send(message)
  }

  slap(event: Event, contact = 1, seat = this.you) {
    if (seat === null || !this.view) return
    if (this.sameHand(event, seat)) return this.refuse('slap', words.refused.withdraw!, seat)
    const press = this.presses.slap({ event, contact, after: this.after, seat })
    if (!press) return
    const sent = this.talk.slap(press.slap)
    if (this.yours.length > 1) this.beats.once()
    if (press.more) return
    if (!sent) return this.refuse('slap', '', seat)
    buzz(8)
    sound.slap()
    this.table?.hands.mine(seat)
  }

  /** A deck is pressed: its top card, or the pile that it has won and may take. */
  play(event: Event, seat = this.you) {
    if (seat === null || !this.view) return
    const { n, to } = this.view
    const [deed] = this.deedsOf(seat)
    if (to.phase === 'won' && to.turn === seat && deed?.do === 'collect') return this.act(deed, seat)
    if (this.presses.asked(event, seat, n, turnOf(this.view) === seat)) return
    if (!this.send({ t: 'play', n, seat })) return this.refuse('play', '', seat)
    this.presses.turn(event, seat, n)
  }

  act({ do: what, target, half }: Omit<Act, 't'>, seat = this.you) {
    if (!this.send({ t: 'act', do: what, target, half, seat })) this.refuse('act', '', seat)
  }

  /** What the key of a laptop does here, if anything. */
  key(code: string): boolean {
    const deed = this.deeds.find((deed) => deed.key === code)
    if (deed) this.act(deed)
    return !!deed
  }

  /** What I hear */

  hear(message: ServerMessage | Old, when: When) {
    if (message.t === 'told' && !HINT_STAYS.has(message.e.e)) this.says.dropHint() // before an ear gives the next one
    for (const ear of this.ears) ear(message, when)
    switch (message.t) {
      case 'welcome':
        return this.enter(message)
      case 'back':
        this.farewell = null
        this.seats = message.seats
        this.clock = running(message.clock)
        return this.layAll() // a card that was in the air when the line broke is not
      case 'told':
        return this.told(message, when)
      case 'turning':
        return this.table?.fly(message.seat)
      case 'held':
        this.presses.turnAnew()
        return this.table?.goBack(message.seat)
      case 'late':
        return this.late(message)
      case 'lines':
        return void (this.lines = message.lines)
      case 'presence':
        this.seats = changed(this.seats, message.seat, { here: message.here })
        return
      case 'reacted':
        this.signs.show(message.seat, message.what)
        return this.says.tell(words.signs.said(this.calls(message.seat) ?? words.seat.you, words.signs.names[message.what]))
      case 'clock':
        this.clock = running(message)
        return
      case 'refused':
        if (message.what === 'again' && message.why === 'not_over') return // another hand was faster with the same wish
        return this.refuse(message.what, words.refused[message.why] ?? '', message.seat ?? this.you, message.why === 'twice')
      case 'unheard':
        return this.refuse('play', words.refused.slow_down!, this.you)
      case 'bye':
        this.backIn = message.wait_s
        if (message.why === 'no_room' || message.why === 'removed') forgetSeat(this.code)
        return void (this.farewell = message.why)
    }
  }

  shown(n: number, p_ms: number) {
    this.presses.paint(n, p_ms)
    if (this.inCompany) this.beats.begin() // who plays bots alone would only have them wait a moment less
  }

  reach(yes: boolean) {
    this.online = yes
    this.presses.turnAnew()
    if (yes) return
    this.clock = null
    this.lines = []
    this.beats.end()
  }

  private enter(message: Welcome) {
    this.entered = true
    this.farewell = null
    if (this.game !== message.game) {
      this.presses.forget()
      this.score.forget()
    }
    ;({ game: this.game, you: this.you, yours: this.yours, listed: this.listed, locked: this.locked, removed: this.removed, house: this.house } = message)
    ;({ seats: this.seats, view: this.view, closed_ms: this.closedMs } = message)
    this.says.hush()
    this.ended = message.view?.to.phase === 'over'
    clearTimeout(this.ending)
    this.clock = running(message.clock)
    if (this.who.length && !this.yours.length) forgetSeat(this.code)
    this.offerSeat(true)
    this.layAll()
    this.callTurn(false)
  }

  private told({ e: event }: EventMessage, when: When) {
    const before = this.view
    const mineBefore = this.myTurn
    if (event.e === 'left' && event.removed && this.seats[event.seat]?.bot === null) this.removed++
    if (when === 'live') this.seats = seated(this.seats, event) // who comes back is shown them as they are
    if (event.e === 'listed') this.listed = event.on
    if (event.e === 'room_locked') this.locked = event.on
    if (event.e === 'readmitted') this.removed = 0
    if (RESULTS.has(event.e)) this.beats.end()
    this.score.note(event)
    if (event.e === 'rules_changed') this.house = event.link
    if (event.e === 'closed') this.closedMs = event.until_us / 1000
    if (event.e === 'reopened') this.closedMs = null
    if (event.e === 'played' && this.mine(event.seat)) this.turnedAt = { ...this.turnedAt, [event.seat]: performance.now() }
    this.view = follow(before, event)
    let card = ''
    if (when === 'live') {
      const says = headline(event, this.view, this.calls)
      card = this.readCard(event, mineBefore)
      this.says.tell(...aloud(event, before, this.view, this.calls))
      if (says) this.says.announce(says, event.e === 'taken')
      if (event.e === 'played') this.says.turned()
      if (event.e === 'judged' || event.e === 'measured') this.says.decide()
      this.gifts = event.e === 'given' ? this.gifts + 1 : 0
      const { table, view, mine } = this
      show(event, { table, view, mine, label: this.label, layAll: this.layAll, seen: this.seen }, Math.max(0, this.gifts - 1))
    }
    if (when === 'level') this.layAll()
    const over = this.view?.to.phase === 'over'
    this.ended = this.ended && over
    if (over && before?.to.phase !== 'over') this.ending = window.setTimeout(() => (this.ended = true), when === 'live' ? END_MS : 0)
    if (when !== 'behind') this.callTurn(mineBefore, card)
    this.offerSeat()
  }

  /** The start page offers the way back to this table, unless its game is over and nobody else can deal the next one. */
  private offerSeat(entering = false) {
    const others = this.seats.some(({ bot, gone }, seat) => bot === null && !gone && !this.mine(seat))
    const offer = this.yours.length > 0 && (others || this.view?.to.phase !== 'over')
    if (entering || offer !== this.offered) noteSeat(this.code, offer)
    this.offered = offer
  }

  private readonly mine = (seat: number) => this.yours.includes(seat)

  private readonly layAll = () => {
    const view = this.view
    if (!view) return
    this.table?.lay(view.pile, () => this.seen(view.n))
  }

  private readonly seen = (n: number) => {
    this.presses.paint(n, performance.now())
  }

  private readonly label = (seat: number, time: string): Label => {
    return { who: this.calls(seat) ?? words.seat.you, time }
  }

  private late(message: Late) {
    const { seat, us } = message
    this.score.late(message)
    if (!this.mine(seat)) sound.slap()
    this.table?.hands.aside(seat, this.label(seat, words.say.time(ms(us))), 'late')
  }

  /** Where the other hand has to slap, the finger that has just turned a card does not. */
  private sameHand(event: Event, seat: number): boolean {
    const rules = this.view?.rules
    return rules?.slap_hand === 'other' && this.presses.turns(event, seat, this.turnedAt[seat] ?? -Infinity, rules.withdraw_ms)
  }

  /** Reads a card aloud, unless the call that it is my turn is to say it: that would interrupt it. */
  private readCard(event: EventMessage['e'], mineBefore: boolean): string {
    const slaps = this.view !== null && this.yours.some((seat) => !isBarred(this.view!, seat))
    const { text, brief } = cardAloud(event, this.view, this.calls, settings.aloud === 'all', slaps)
    const challenges = event.e === 'played' && this.challenge?.card === event.card
    if (text && !challenges && this.isCalled(mineBefore)) return text
    if (brief && text) this.says.readCard(text)
    else this.says.tell(text)
    return ''
  }

  /** My turn has just come, and I am to be told. */
  private isCalled(mineBefore: boolean): boolean {
    if (!this.myTurn || mineBefore || this.yours.length > 1) return false
    return !(this.view && this.you !== null && holdsAll(this.view, this.you))
  }

  private callTurn(mineBefore: boolean, card = '') {
    if (!this.myTurn) this.says.urgent = ''
    if (!this.isCalled(mineBefore)) return
    this.says.urgent = turnWords(this.challenge, (seat) => this.name(seat), card)
    sound.turn()
  }

  private refuse(what: Refused['what'], text: string, seat: number | null, slapped = false) {
    if (what === 'seen' || what === 'beat') return // a matter between page and server
    if (what === 'slap' && !slapped && seat !== null) this.table?.hands.withdraw(seat)
    if (what === 'play' && seat !== null) this.presses.turnAnew(seat)
    this.says.refuse(what, text, seat)
  }
}
