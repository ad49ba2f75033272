// The state of one room on this page. The server decides; the room applies its messages in their order.
import { afterPaint } from '../browser/after-paint'
import type { Table } from '../table/table'
import type { Obstacle } from '../net/detour'
import { RoomConnection, type SyncState } from '../net/room-connection'
import { forgetSeats, markSeats, savedSeats } from '../net/rooms'
import type {
  Act,
  ClientMessage,
  Appearance,
  Late,
  LinkStats,
  Refused,
  PublicSeat,
  ServerMessage,
  EventMessage,
  View,
  Votes,
  Welcome,
} from '../wire'
import { settings } from '../settings.svelte'
import { Reactions } from '../reactions/reactions.svelte'
import { texts } from '../i18n/room'
import type { TableAction } from './actions'
import { startCountdown, type Countdown } from './countdown'
import type { DisconnectReason, ClientOutdated } from '../net/disconnect'
import { loadGame, type GameParts } from './load'
import type { PressTracker } from './press-tracker'
import { toMs } from './races'
import { chancesOf, challengeOf, holdsAll, isBarred, topCard, turnOf } from './selectors'
import { Announcements } from './announcements.svelte'
import { SlapStats } from './slap-stats.svelte'
import { updateSeat, appearanceOf, hostAfter, isolateRightToLeft, applySeatEvent } from './seats'

const END_MS = 1500 // the last pile is seen moving before the end is shown
/** Events that do not contradict a hint: a card on the same pile, hovering hands, a wrong slap's penalty. */
const HINT_STAYS = new Set<EventMessage['e']['e']>([
  'played',
  'passed',
  'touched',
  'hovered',
  'feinted',
  'burned',
  'struck',
  'locked',
  'hand_burned',
  'indebted',
  'eliminated',
])

export class Room {
  seats = $state.raw<PublicSeat[]>([])
  /** My seat, or the first of this page's seats. */
  you = $state<number | null>(null)
  /** All seats of this page. */
  yours = $state.raw<readonly number[]>([])
  /** Null at a table of the server's, where nobody is the host. */
  host = $state<number | null>(0)
  kind = $state<Welcome['kind']>('friends')
  rated = $state(false)
  /** The votes to remove a player, by the player's seat. */
  votes = $state.raw<Readonly<Record<number, Votes>>>({})
  /** Nobody at another device has a seat. */
  readonly alone = $derived(
    this.yours.length > 0 &&
      this.seats.every(({ bot, gone }, seat) => bot !== null || gone || this.yours.includes(seat)),
  )
  listed = $state(false)
  /** Nobody new can join. */
  locked = $state(false)
  /** The game is paused: by its only device, or by the host, who sits at the seat `pausedBy`. */
  paused = $state(false)
  pausedBy = $state<number | null>(null)
  /** I have let turns pass; after another one a bot plays for me. */
  warned = $state(false)
  /** How much later than its players this page sees the table; 0 at the table. */
  delayMs = $state(0)
  /** The seats that want another game, when one is over. */
  ready = $state.raw<readonly number[]>([])
  /** How many people the host has removed; they cannot come back. */
  removed = $state(0)
  house = $state('')
  closedMs = $state<number | null>(null)
  view = $state.raw<View | null>(null)
  game = $state('')
  clock = $state.raw<Countdown | null>(null)
  online = $state(false)
  obstacle = $state<Obstacle | null>(null) // why it is not, after some tries
  /** The connection is no WebSocket: none gets through. */
  detour = $state(false)
  /** The server waits for its log: no clock runs. */
  saving = $state(false)
  /** The connection figures by seat. */
  lines = $state.raw<readonly (LinkStats | null)[]>([])
  entered = $state(false)
  disconnectReason = $state<DisconnectReason | null>(null)
  retryInSeconds = $state(0) // seconds until a retry; 0 if there is none
  ended = $state(false)
  /** The code of a game could not be loaded. */
  failed = $state(false)
  /** When each of my seats last turned a card, by this page's clock: the hand stays on it for a moment. */
  turnedAt = $state.raw<Readonly<Record<number, number>>>({})
  /** The seat after which I want to sit if I slap in; null is the end. */
  after = $state<number | null>(null)
  readonly announcements = new Announcements()
  readonly reactions = new Reactions()
  readonly slapStats = new SlapStats()
  /** Called for each message, before the view changes. */
  readonly listeners = new Set<(message: ServerMessage | ClientOutdated, when: SyncState) => void>()

  readonly top = $derived(topCard(this.view))
  readonly challenge = $derived(this.view && challengeOf(this.view))
  /** A bot plays for me, because I have let turns pass. */
  readonly idle = $derived(this.you !== null && !!this.seats[this.you]?.idle)
  readonly myTurn = $derived(this.you !== null && turnOf(this.view) === this.you)
  /** A countdown runs until play goes on: nobody can turn a card before. */
  readonly countingIn = $derived(this.clock?.awaited === 'resume')
  readonly held = $derived(this.you === null ? 0 : (this.view?.cards_held[this.you] ?? 0))
  readonly actions: TableAction[] = $derived(this.you === null ? [] : this.actionsFor(this.you))

  private table: Table | null = null
  /** Loaded when there is a game; the view is null before. */
  private parts: GameParts | null = null
  /** Messages that wait for it. */
  private early: [ServerMessage | ClientOutdated, SyncState][] = []
  private pressTracker: PressTracker | null = null
  private gifts = 0
  private ending = 0
  private readonly connection: RoomConnection
  private offered = false

  /** `playerIds`: the players at this page; none only watches. */
  constructor(
    readonly code: string,
    private readonly playerIds: readonly number[] = savedSeats(code),
  ) {
    this.connection = new RoomConnection(code, playerIds, this)
  }

  leave() {
    this.connection.leave()
    this.early = []
    this.announcements.end()
    this.reactions.end()
    clearTimeout(this.ending)
  }

  /** Shows the room on this table from now on. */
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
    return isolateRightToLeft(this.seats[seat]?.name ?? '')
  }

  readonly appearance = (seat: number): Appearance => appearanceOf(this.seats, seat)

  /** A seat's name for texts; null for mine, if it is the only one at this page. */
  readonly spokenName = (seat: number): string | null =>
    seat === this.you && this.yours.length === 1 ? null : this.name(seat)

  actionsFor(seat: number): TableAction[] {
    return (this.view && this.parts?.availableActions(this.view, seat, (other) => this.name(other))) ?? []
  }

  send(message: ClientMessage): boolean {
    return this.connection.send(message)
  }

  slap(event: Event, contact = 1, seat = this.you) {
    if (seat === null || !this.view?.slappable) return
    if (this.sameHand(event, seat)) return this.refuse('slap', this.refusal('withdraw'), seat)
    this.warned = false
    const press = this.pressTracker?.slap({ event, contact, after: this.after, seat })
    if (!press) return
    const sent = this.connection.slap(press.slap)
    if (press.more) return
    if (!sent) return this.refuse('slap', '', seat)
    this.parts?.vibrate(8)
    this.parts?.sound.slap()
    this.table?.hands.mine(seat)
  }

  /** A deck was pressed: turns its top card, or takes the pile that its player has won. */
  play(event: Event, seat = this.you) {
    if (seat === null || !this.view) return
    this.warned = false
    const { n, standing: to } = this.view
    const [action] = this.actionsFor(seat)
    if (to.phase === 'won' && to.turn === seat && action?.action === 'collect') return this.act(action, seat)
    if (this.pressTracker?.isTurnRequested(event, seat, n, turnOf(this.view) === seat)) return
    if (!this.send({ t: 'play', n, seat })) return this.refuse('play', '', seat)
    this.pressTracker?.requestTurn(event, seat, n)
  }

  act({ action: what, target, half }: Omit<Act, 't'>, seat = this.you) {
    if (!this.send({ t: 'act', action: what, target, half, seat })) this.refuse('act', '', seat)
  }

  /** Runs the action of a key; false if it has none. */
  key(code: string): boolean {
    const action = this.actions.find((action) => action.key === code)
    if (action) this.act(action)
    return !!action
  }

  onMessage(message: ServerMessage | ClientOutdated, when: SyncState) {
    if (!this.parts && (this.early.length || beginsGame(message))) this.waitForParts(message, when)
    else this.apply(message, when)
  }

  private waitForParts(message: ServerMessage | ClientOutdated, when: SyncState) {
    if (this.early.push([message, when]) > 1) return
    const ready = (parts: GameParts) => {
      this.parts = parts
      this.pressTracker = new parts.PressTracker()
      for (const each of this.early.splice(0)) this.apply(...each)
    }
    loadGame(message.t !== 'welcome' || message.you !== null).then(ready, () => (this.failed = true))
  }

  private apply(message: ServerMessage | ClientOutdated, when: SyncState) {
    if (message.t === 'event' && !HINT_STAYS.has(message.e.e)) this.announcements.dropHint() // before a listener gives the next one
    for (const listener of this.listeners) listener(message, when)
    switch (message.t) {
      case 'welcome':
        return this.applySnapshot(message)
      case 'reconnected':
        this.disconnectReason = null
        this.seats = message.seats
        this.ready = message.ready
        this.clock = startCountdown(message.clock)
        return this.layAll() // a card that was moving when the connection broke is reset
      case 'event':
        return this.handleEvent(message, when)
      case 'turning':
        return this.table?.fly(message.seat)
      case 'turn_cancelled':
        this.pressTracker?.clearTurnRequests()
        return this.table?.goBack(message.seat)
      case 'late':
        return this.handleLateSlap(message)
      case 'link_stats':
        return void (this.lines = message.links)
      case 'presence':
        return void (this.seats = updateSeat(this.seats, message.seat, { here: message.here }))
      case 'ready':
        return void (this.ready = message.seats)
      case 'votes':
        this.votes = { ...this.votes, [message.seat]: message }
        return message.by.length
          ? this.announcements.showNotice(texts.votes(this.name(message.seat), message.by.length, message.needed))
          : undefined
      case 'reacted':
        this.reactions.show(message.seat, message.reaction)
        this.parts?.sound.sign()
        return this.announcements.announce(
          this.parts?.reactionText(this.spokenName(message.seat), message.reaction) ?? '',
        )
      case 'idle_warning':
        return void (this.warned = true)
      case 'saving':
        if (message.on) this.clock = null
        return void (this.saving = message.on)
      case 'clock':
        return void (this.clock = startCountdown(message))
      case 'refused':
        if (message.request === 'pause') return // it is asked for again with the next card
        if ((message.request === 'again' || message.request === 'ready') && message.reason === 'not_over') return // another player sent the same request first
        return this.refuse(
          message.request,
          this.refusal(message.reason),
          message.seat ?? this.you,
          message.reason === 'twice',
        )
      case 'rate_limited':
        return this.refuse('play', texts.refused.slow_down!, this.you)
      case 'bye':
        this.retryInSeconds = message.wait_s
        if (message.reason === 'no_room' || message.reason === 'removed') forgetSeats(this.code)
        return void (this.disconnectReason = message.reason)
    }
  }

  onCardShown = (n: number, p_ms: number) => this.pressTracker?.drawn(n, p_ms)
  onDetour = (yes: boolean) => void (this.detour = yes)
  onObstacle = (obstacle: Obstacle) => void (this.obstacle = obstacle)

  onOnline(yes: boolean) {
    this.online = yes
    this.saving = false
    this.pressTracker?.clearTurnRequests()
    if (yes) return void (this.obstacle = null)
    this.clock = null
    this.lines = []
  }

  private applySnapshot(message: Welcome) {
    this.entered = true
    this.disconnectReason = null
    if (this.game !== message.game) {
      this.pressTracker?.forget()
      this.slapStats.forget()
      this.votes = {}
    }
    ;({
      game: this.game,
      you: this.you,
      yours: this.yours,
      host: this.host,
      kind: this.kind,
      rated: this.rated,
      listed: this.listed,
      locked: this.locked,
      paused: this.paused,
      paused_by: this.pausedBy,
      ready: this.ready,
      removed: this.removed,
      house: this.house,
    } = message)
    ;({ seats: this.seats, view: this.view, closed_ms: this.closedMs, delay_ms: this.delayMs } = message)
    this.followCard()
    this.announcements.clear()
    this.ended = message.view?.standing.phase === 'over'
    clearTimeout(this.ending)
    this.clock = startCountdown(message.clock)
    if (this.playerIds.length && !this.yours.length) forgetSeats(this.code)
    this.updateSeatOffer(true)
    this.layAll()
    this.announceTurn(false)
  }

  private handleEvent(message: EventMessage, when: SyncState) {
    const event = message.e
    const before = this.view
    const mineBefore = this.myTurn
    if (event.e === 'left' && event.removed && this.seats[event.seat]?.bot === null) this.removed++
    if (when === 'live') {
      this.seats = applySeatEvent(this.seats, event) // a snapshot has the current ones
      this.host = hostAfter(this.host, this.seats, event)
    }
    if (event.e === 'listed')
      [this.listed, this.kind] = [event.on, event.on && this.kind === 'friends' ? 'listed' : this.kind]
    if (event.e === 'room_locked') this.locked = event.on
    if (event.e === 'readmitted') this.removed = 0
    if (event.e === 'paused') [this.paused, this.pausedBy] = [event.on, event.seat]
    if (event.e === 'idle') this.warned = false
    this.slapStats.note(event)
    if (event.e === 'rules_changed') this.house = event.link
    if (event.e === 'closed') this.closedMs = event.until_us / 1000
    if (event.e === 'reopened') this.closedMs = null
    if (event.e === 'played' && this.mine(event.seat))
      this.turnedAt = { ...this.turnedAt, [event.seat]: performance.now() }
    const { parts } = this
    if (parts) this.view = parts.viewAfter(before, message)
    this.followCard()
    let card = ''
    if (when === 'live' && parts) {
      const says = parts.headline(event, this.view, this.spokenName, before, this.slapStats.streak)
      card = this.readCard(event, mineBefore)
      this.announcements.announce(...parts.outOfCardsAnnouncements(event, before, this.view, this.spokenName))
      if (says) this.announcements.showHeadline(says, event.e === 'taken')
      if (event.e === 'played') this.announcements.turned()
      if (event.e === 'judged' || event.e === 'measured') this.announcements.decide()
      if (event.e === 'judged') this.announcements.showBeaten(parts.beatenText(event, this.mine))
      this.gifts = event.e === 'given' ? this.gifts + 1 : 0
      const {
        table,
        view,
        mine,
        slapStats: { streak },
      } = this
      parts.playEffects(
        event,
        {
          table,
          view,
          streak,
          mine,
          label: (who, time) => parts.handLabel(this.spokenName(who), time),
          layAll: this.layAll,
        },
        Math.max(0, this.gifts - 1),
      )
    }
    if (when === 'caught_up') this.layAll()
    const over = this.view?.standing.phase === 'over'
    this.ended = this.ended && over
    if (over && before?.standing.phase !== 'over')
      this.ending = window.setTimeout(() => (this.ended = true), when === 'live' ? END_MS : 0)
    if (when !== 'catching_up') this.announceTurn(mineBefore, card)
    this.updateSeatOffer()
  }

  /** The start page offers the way back to this table, unless its game is over and there is nobody to deal the next one. */
  private updateSeatOffer(entering = false) {
    const others = this.seats.some(({ bot, gone }, seat) => bot === null && !gone && !this.mine(seat))
    const offer = this.yours.length > 0 && (others || this.view?.standing.phase !== 'over')
    if (entering || offer !== this.offered) markSeats(this.code, offer)
    this.offered = offer
  }

  private readonly mine = (seat: number) => this.yours.includes(seat)

  private readonly layAll = () => {
    if (this.view) this.table?.lay(this.view.pile)
  }

  /** Presses are for the card that is on top now, whatever is reported of an earlier one. */
  private followCard() {
    const card = this.view && this.pressTracker?.follow(this.view.n)
    if (!card) return
    const note = () => (card.painted ??= performance.now())
    queueMicrotask(() => card.painted === null && afterPaint(note)) // the frame that shows it, if there is one, has said when
  }

  private handleLateSlap(message: Late) {
    const { seat, us, n } = message
    this.slapStats.late(message)
    if (this.mine(seat)) this.explainLateSlap(seat, this.refusal(n < (this.view?.n ?? 0) ? 'covered' : 'decided'))
    else this.parts?.sound.slap()
    if (this.parts)
      this.table?.hands.aside(seat, this.parts.handLabel(this.spokenName(seat), this.parts.timeText(toMs(us))), 'late')
  }

  private explainLateSlap(seat: number, text: string) {
    if (this.yours.length > 1) this.announcements.refuse('slap', text, seat)
    else this.announcements.showBeaten(text)
  }

  /** Whether this is the finger that has just turned a card, where the rules demand that the other hand slaps. */
  private sameHand(event: Event, seat: number): boolean {
    const rules = this.view?.rules
    return (
      rules?.slap_hand === 'other' &&
      !!this.pressTracker?.isTurningFinger(event, seat, this.turnedAt[seat] ?? -Infinity, rules.withdraw_ms)
    )
  }

  /** Announces a card; returns its text instead if the announcement of my turn has to include it, which would interrupt it. */
  private readCard(event: EventMessage['e'], mineBefore: boolean): string {
    const slaps = this.view !== null && this.yours.some((seat) => !isBarred(this.view!, seat))
    if (!this.parts) return ''
    const { text, brief } = this.parts.cardAnnouncement(
      event,
      this.view,
      this.spokenName,
      settings.aloud === 'all',
      slaps,
    )
    const challenges = event.e === 'played' && this.challenge?.card === event.card
    if (text && !challenges && this.turnJustCame(mineBefore)) return text
    if (brief && text) this.announcements.readCard(text)
    else this.announcements.announce(text)
    return ''
  }

  /** Whether my turn has just come, and has to be announced. */
  private turnJustCame(mineBefore: boolean): boolean {
    if (!this.myTurn || mineBefore || this.yours.length > 1) return false
    return !(this.view && this.you !== null && holdsAll(this.view, this.you))
  }

  private announceTurn(mineBefore: boolean, card = '') {
    if (!this.myTurn) this.announcements.urgent = ''
    if (!this.turnJustCame(mineBefore)) return
    this.announcements.urgent = this.parts!.turnWords(this.challenge, (seat) => this.name(seat), card)
    this.parts?.sound.turn()
  }

  private readonly refusal = (reason: string) => texts.refused[reason] ?? this.parts?.refusalInGame(reason) ?? ''

  private refuse(what: Refused['request'], text: string, seat: number | null, slapped = false) {
    if (what === 'beat') return // not for players
    if (what === 'slap' && !slapped && seat !== null) this.table?.hands.withdraw(seat)
    if (what === 'play' && seat !== null) this.pressTracker?.clearTurnRequests(seat)
    this.announcements.refuse(what, text, seat)
  }
}

/** Whether a room has a game from this message on. */
const beginsGame = (message: ServerMessage | ClientOutdated) =>
  message.t === 'welcome' ? message.view !== null : message.t === 'event' && message.e.e === 'dealt_public'
