// A running practice: cards come at its pace; a press is timed from when the card became visible.
import { wrongSlapHint, missedPatternHint } from '../learn/hint'
import { sound } from '../sound'
import type { Table } from '../table/table'
import type { PracticeCard, VisibleCard } from '../wire'
import { texts } from '../i18n/late'
import { patternName } from '../room/headline'
import type { Answer } from './summary'

export const DEALER = 1
export const ME = 0
const FLIGHT_MS = 160
const FIRST_MS = 900
const QUICKEST_MS = 100 // a faster slap was for the card before

export interface Said {
  text: string
  tone: 'good' | 'bad' | 'calm'
}

export class PracticeRun {
  /** How many cards have come. */
  count = $state(0)
  said = $state.raw<Said | null>(null)
  over = $state(false)
  readonly answers: Answer[] = []
  private pile: VisibleCard[] = []
  private seenAt: number[] = []
  private timers: number[] = []

  constructor(
    private readonly table: Table,
    readonly cards: readonly PracticeCard[],
    private readonly tempo: number,
  ) {
    this.later(FIRST_MS, () => this.turn())
  }

  end() {
    this.timers.forEach(clearTimeout)
  }

  /** Handles a slap. */
  slap(event: Event) {
    if (!event.isTrusted || this.over || !this.count) return
    const at = Math.min(event.timeStamp, performance.now())
    const newest = this.count - 1
    const soon = at - (this.seenAt[newest] ?? Infinity) < QUICKEST_MS
    const place = soon ? newest - 1 : newest
    const [answer, seen] = [this.answers[place], this.seenAt[place]]
    if (!answer || seen === undefined || answer.ms !== null) return
    answer.ms = Math.round(at - seen)
    this.table.hands.mine(ME)
    const label = { who: texts.seat.you, time: texts.say.time(answer.ms) }
    const [pattern] = answer.slaps
    if (!pattern) {
      sound.wrong()
      this.table.hands.aside(ME, { ...label, time: texts.say.foulHand }, 'wrong')
      return this.say(wrongSlapHint({ pile: this.pile })?.text ?? texts.say.wrong, 'bad')
    }
    sound.slap()
    this.table.hands.judged([{ seat: ME, us: answer.ms * 1000, label }], () => {})
    this.say(texts.practice.hit(patternName(pattern), answer.ms), 'good')
    if (place === newest && this.ends) this.sweep(ME)
  }

  /** The next card leaves the dealer's hand. */
  private turn() {
    const next = this.cards[this.count]
    const answer = this.answers.at(-1)
    const missed = answer?.ms === null ? missedPatternHint(answer.slaps) : null
    if (missed) this.say(missed.text, 'calm')
    else if (next) this.said = null
    if (this.ends && this.pile.length) this.sweep(DEALER)
    if (!next) return this.later(this.tempo / 2, () => (this.over = true))
    this.table.fly(DEALER)
    this.later(FLIGHT_MS, () => this.show(next))
    this.later(this.tempo, () => this.turn())
  }

  private show({ card, slaps }: PracticeCard) {
    this.pile = [...this.pile, [card, 'live']]
    const place = this.count++
    this.answers.push({ card, slaps, ms: null })
    this.table.reveal(card, this.pile.length, () => (this.seenAt[place] = performance.now()))
    sound.card()
  }

  /** Whether the pile goes no further. */
  private get ends(): boolean {
    return this.cards[this.count]?.fresh ?? true
  }

  private sweep(seat: number) {
    this.table.take(seat, this.pile.length, () => sound.take(4, true))
    this.pile = []
  }

  private say(text: string, tone: Said['tone']) {
    this.said = { text, tone }
  }

  private later(ms: number, act: () => void) {
    this.timers.push(window.setTimeout(act, ms))
  }
}
