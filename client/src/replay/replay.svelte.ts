// The state of a replay: jumps, steps, or playback at the game's own pace.
import { viewsAfterEvents } from '../end/views'
import { chancesOf, topCard } from '../room/selectors'
import { toMs, recordRace, type Race } from '../room/races'
import { isolateRightToLeft } from '../room/seats'
import { playEffects, type EffectTarget } from '../room/event-effects'
import { streakAfter, type WinningStreak } from '../room/winning-streak'
import type { Table } from '../table/table'
import type { Finished, Appearance, SlapRecord, Sat, View } from '../wire'
import { texts } from '../i18n/table'
import { after, before, stopsOf, waitOf, type Stops } from './stops'

const FLIGHT_MS = 150 // a card leaves its deck this long before it is turned

export const SPEEDS = [0.5, 1, 2, 4] as const

export class Replay {
  /** How many events have happened. */
  at = $state(0)
  playing = $state(false)
  speed = $state(1)

  readonly views: readonly (View | null)[]
  readonly stops: Stops
  readonly first: number
  readonly last: number
  readonly view = $derived.by(() => this.views[this.at] ?? null)
  readonly top = $derived(topCard(this.view))
  /** The race that is decided at this moment, if one is. */
  readonly race: Race | null = $derived.by(() => {
    const event = this.game.events[this.at - 1]?.e
    return event?.e === 'judged' ? (recordRace([], event)[0] ?? null) : null
  })

  private table: Table | null = null
  private timer = 0
  private flight = 0
  private gifts = 0

  constructor(readonly game: Finished) {
    this.views = viewsAfterEvents(game)
    this.stops = stopsOf(game)
    this.first = this.stops.steps[0] ?? 0
    this.last = game.events.length
    this.at = this.first
  }

  /** For the race panel: no seat is mine. */
  readonly you = null
  get seats(): readonly Sat[] {
    return this.game.seats
  }
  readonly name = (seat: number): string => isolateRightToLeft(this.game.seats[seat]?.name ?? '')
  readonly appearance = (seat: number): Appearance =>
    this.game.seats[seat]?.appearance ?? { hue: seat % 8, shape: 'palm' }

  showOn(table: Table) {
    this.table = table
    table.chances = (card) => (this.view ? chancesOf(this.view, card) : 0)
    table.hands.appearance = this.appearance
    this.lay()
  }

  relayout() {
    this.table?.relayout()
  }

  /** Shows the table at a moment, without animation. */
  go(at: number) {
    this.at = Math.max(this.first, Math.min(this.last, Math.round(at) || this.first))
    this.gifts = 0
    this.lay()
    if (this.race) this.table?.hands.judged(this.labelled(this.race.order), () => undefined)
    if (this.playing) this.wait()
  }

  /** Goes to a moment and shows the animation that leads to it. */
  arrive(at: number | undefined) {
    if (at === undefined) return
    this.go(at - 1)
    this.happen()
    if (this.playing) this.wait()
  }

  step = () => this.arrive(after(this.stops.steps, this.at))
  stepBack = () => this.go(before(this.stops.steps, this.at) ?? this.first)
  slap = () => this.arrive(after(this.stops.slaps, this.at))
  slapBack = () => this.arrive(before(this.stops.slaps, this.at))
  pile = () => this.arrive(after(this.stops.piles, this.at))
  pileBack = () => this.arrive(before(this.stops.piles, this.at))

  toggle = () => {
    if (this.playing) return this.pause()
    if (this.at >= this.last) this.go(this.first)
    this.playing = true
    this.wait()
  }

  pause = () => {
    this.playing = false
    clearTimeout(this.timer)
    clearTimeout(this.flight)
  }

  /** Schedules the next event. */
  private wait() {
    clearTimeout(this.timer)
    clearTimeout(this.flight)
    if (this.at >= this.last) return this.pause()
    const wait = waitOf(this.game, this.at) / this.speed
    const next = this.game.events[this.at]!.e
    if (next.e === 'played' && wait > FLIGHT_MS)
      this.flight = window.setTimeout(() => this.table?.fly(next.seat), wait - FLIGHT_MS)
    this.timer = window.setTimeout(() => {
      this.happen()
      this.wait()
    }, wait)
  }

  private happen() {
    const event = this.game.events[this.at]?.e
    if (!event) return
    this.at++
    this.gifts = event.e === 'given' ? this.gifts + 1 : 0
    const { table, view } = this
    const streak = this.game.events
      .slice(0, this.at)
      .reduce<WinningStreak | null>((streak, { e }) => streakAfter(streak, e), null)
    const stage: EffectTarget = { table, view, streak, mine: () => false, label: this.label, layAll: () => this.lay() }
    playEffects(event, stage, Math.max(0, this.gifts - 1))
  }

  private lay() {
    this.table?.lay(this.view?.pile ?? [])
  }

  private readonly label = (seat: number, time: string) => ({ who: this.name(seat), time })

  private labelled(order: readonly SlapRecord[]) {
    return order.map((hit) => ({ ...hit, label: this.label(hit.seat, texts.say.time(toMs(hit.us))) }))
  }
}
