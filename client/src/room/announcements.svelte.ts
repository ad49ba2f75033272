// What the table currently shows and announces as text, and for how long. Does not decide why.
import type { Refused } from '../wire'
import { settings } from '../settings.svelte'
import type { Headline } from './headline'

export interface Hint {
  text: string
  aloud: string
}

const HEADLINE_MS = 2000
const REFUSAL_MS = 1500
const DECIDED_MS = 5000
const HINT_MS = 4000
const KEPT = 5 // lines that stay in the live region
const ASIDE_MS = 400 // a hint is announced after the event itself

export class Announcements {
  headline = $state.raw<Headline | null>(null)
  /** The last refusal; each is a new object, so that the button shakes again. */
  refusal = $state.raw<{ what: Refused['request']; text: string; seat: number | null } | null>(null)
  /** By how much my hand was beaten in the last race, or that it came too late: beside the pad for a moment. */
  beaten = $state('')
  /** A race was decided a moment ago: the button that explains it is shown. */
  decided = $state(false)
  /** No card has been turned since that race. */
  fresh = $state(false)
  /** Polite announcements, newest last. Each is a line of its own, so that none of two at once is lost. */
  polite = $state.raw<readonly { id: number; text: string }[]>([])
  /** The announcement of the last card; it replaces the one before. Each is a new object, so that equal texts are announced again. */
  card = $state.raw<{ text: string } | null>(null)
  hint = $state('')
  urgent = $state('')

  private timers: Record<string, number> = {}
  /** The headline is about a pile that was taken. */
  private taking = false
  private told = 0

  announce(...texts: readonly string[]) {
    const lines = texts.filter(Boolean).map((text) => ({ id: ++this.told, text }))
    if (lines.length) this.polite = [...this.polite, ...lines].slice(-KEPT)
  }

  readCard(text: string) {
    this.card = { text }
  }

  /** `takes`: a pile is taken, and the headline of the race for it is merged into this one. */
  showHeadline(says: Headline, takes: boolean) {
    this.announce(says.aloud)
    const whole = this.mergeHeadline(says, takes)
    this.taking = takes || whole !== says
    this.headline = whole.big ? whole : null // an empty headline makes room for the notice
    if (whole.big) this.setTimer('headline', HEADLINE_MS, () => (this.headline = null))
  }

  /** Shows and announces a calm headline that is about no card. */
  showNotice(text: string) {
    this.showHeadline({ big: text, small: '', tone: 'calm', aloud: text }, false)
  }

  /** Merges a headline with the one before: the race for the pile, or the pile that brings a player in. */
  private mergeHeadline(says: Headline, takes: boolean): Headline {
    const before = this.headline
    if (takes && before?.kept) return { ...says, small: `${says.small} (${before.kept})` }
    if (says.also && this.taking && before?.small) return { ...before, small: `${before.small} ${says.also}` }
    return says
  }

  refuse(what: Refused['request'], text: string, seat: number | null) {
    this.refusal = { what, text, seat }
    this.setTimer('refusal', REFUSAL_MS, () => (this.refusal = null))
  }

  decide() {
    this.decided = this.fresh = true
    this.setTimer('decided', DECIDED_MS, () => (this.decided = false))
  }

  /** Shows and announces by how much my hand was beaten, or that it came too late. */
  showBeaten(text: string) {
    this.beaten = text
    this.announce(text)
    this.setTimer('beaten', HEADLINE_MS, () => (this.beaten = ''))
  }

  /** Shows and announces a hint, if hints are switched on. */
  showHint(hint: Hint | null) {
    if (!hint || !settings.hints) return
    this.hint = hint.text
    this.setTimer('aside', ASIDE_MS, () => this.announce(hint.aloud))
    this.setTimer('hint', HINT_MS, () => (this.hint = ''))
  }

  /** A card was turned: the last race is not the newest event any more. */
  turned() {
    this.fresh = false
  }

  /** Removes a hint that a newer event would contradict. */
  dropHint() {
    this.hint = ''
    clearTimeout(this.timers.aside)
  }

  /** Resets everything for a new snapshot. */
  clear() {
    this.headline = this.card = null
    this.dropHint()
    this.decided = this.fresh = false
  }

  end() {
    for (const timer of Object.values(this.timers)) clearTimeout(timer)
  }

  private setTimer(name: string, wait: number, act: () => void) {
    clearTimeout(this.timers[name])
    this.timers[name] = window.setTimeout(act, wait)
  }
}
