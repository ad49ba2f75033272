// What the table currently shows and announces as text, and for how long. Does not decide why.
import type { Refused } from '../wire'
import type { Hint } from '../learn/hint'
import { settings } from '../settings.svelte'
import type { Headline } from './headline'

const HEADLINE_MS = 2000
const REFUSAL_MS = 1500
const DECIDED_MS = 5000
const HINT_MS = 4000
const KEPT = 5 // so many lines stay to be read again
const ASIDE_MS = 400 // a hint is read out after what has just happened

export class Announcements {
  headline = $state.raw<Headline | null>(null)
  /** What was refused last; each one is a new object, so that it can shake again. */
  refusal = $state.raw<{ what: Refused['what']; text: string; seat: number | null } | null>(null)
  /** A race was decided a moment ago: one may ask how. */
  decided = $state(false)
  /** No card has been turned since: what is said of that race belongs to what everybody still sees. */
  fresh = $state(false)
  /** What is read aloud in its turn, newest last. Each is a line of its own: of two at once none is lost. */
  polite = $state.raw<readonly { id: number; text: string }[]>([])
  /** The card that was turned last, as it is read aloud: it replaces the one before. Each is a new object: two alike are two. */
  card = $state.raw<{ text: string } | null>(null)
  hint = $state('')
  urgent = $state('')

  private timers: Record<string, number> = {}
  /** The headline is that of a pile that was taken. */
  private taking = false
  private told = 0

  announce(...texts: readonly string[]) {
    const lines = texts.filter(Boolean).map((text) => ({ id: ++this.told, text }))
    if (lines.length) this.polite = [...this.polite, ...lines].slice(-KEPT)
  }

  readCard(text: string) {
    this.card = { text }
  }

  /** `takes`: a pile is taken, and what was just said of the race for it stays. */
  showHeadline(says: Headline, takes: boolean) {
    this.announce(says.aloud)
    const whole = this.mergeHeadline(says, takes)
    this.taking = takes || whole !== says
    this.headline = whole.big ? whole : null // the matter of the moment takes its place
    if (whole.big) this.setTimer('headline', HEADLINE_MS, () => (this.headline = null))
  }

  /** A headline with what it shares with the one before: the race for the pile, or the pile that brings a player in. */
  private mergeHeadline(says: Headline, takes: boolean): Headline {
    const before = this.headline
    if (takes && before?.kept) return { ...says, small: `${says.small} (${before.kept})` }
    if (says.also && this.taking && before?.small) return { ...before, small: `${before.small} ${says.also}` }
    return says
  }

  refuse(what: Refused['what'], text: string, seat: number | null) {
    this.refusal = { what, text, seat }
    this.setTimer('refusal', REFUSAL_MS, () => (this.refusal = null))
  }

  decide() {
    this.decided = this.fresh = true
    this.setTimer('decided', DECIDED_MS, () => (this.decided = false))
  }

  /** What one could have seen, for who wants to be told. */
  showHint(hint: Hint | null) {
    if (!hint || !settings.hints) return
    this.hint = hint.text
    this.setTimer('aside', ASIDE_MS, () => this.announce(hint.aloud))
    this.setTimer('hint', HINT_MS, () => (this.hint = ''))
  }

  /** A card lies on the next pile, or on what nobody has slapped. */
  turned() {
    this.fresh = false
  }

  /** Something has happened since: what one could have seen before it would contradict what is said of it. */
  dropHint() {
    this.hint = ''
    clearTimeout(this.timers.aside)
  }

  /** The table is seen anew. */
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
