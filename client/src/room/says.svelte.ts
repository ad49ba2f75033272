// What is said at the table just now, to the eye and to the ear, and for how long. Nothing in this file knows why.
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

export class Says {
  headline = $state.raw<Headline | null>(null)
  /** What was refused last; each one is a new object, so that it can shake again. */
  refusal = $state.raw<{ what: Refused['what']; text: string; seat: number | null } | null>(null)
  /** A race was decided a moment ago: one may ask how. */
  decided = $state(false)
  /** What is read aloud in its turn, newest last. Each is a line of its own: of two at once none is lost. */
  polite = $state.raw<readonly { id: number; text: string }[]>([])
  hint = $state('')
  urgent = $state('')

  private timers: Record<string, number> = {}
  private told = 0

  tell(...texts: readonly string[]) {
    const lines = texts.filter(Boolean).map((text) => ({ id: ++this.told, text }))
    if (lines.length) this.polite = [...this.polite, ...lines].slice(-KEPT)
  }

  /** `takes`: a pile is taken, and what was just said of the race for it stays. */
  announce(says: Headline, takes: boolean) {
    const kept = takes && this.headline?.kept
    const whole = kept ? { ...says, small: `${says.small} (${kept})` } : says
    this.tell(whole.aloud)
    this.headline = whole.big ? whole : null // the matter of the moment takes its place
    if (whole.big) this.later('headline', HEADLINE_MS, () => (this.headline = null))
  }

  refuse(what: Refused['what'], text: string, seat: number | null) {
    this.refusal = { what, text, seat }
    this.later('refusal', REFUSAL_MS, () => (this.refusal = null))
  }

  decide() {
    this.decided = true
    this.later('decided', DECIDED_MS, () => (this.decided = false))
  }

  /** What one could have seen, for who wants to be told. */
  explain(hint: Hint | null) {
    if (!hint || !settings.hints) return
    this.hint = hint.text
    this.later('aside', ASIDE_MS, () => this.tell(hint.aloud))
    this.later('hint', HINT_MS, () => (this.hint = ''))
  }

  /** The table is seen anew. */
  hush() {
    this.headline = null
    this.hint = ''
    this.decided = false
  }

  end() {
    for (const timer of Object.values(this.timers)) clearTimeout(timer)
  }

  private later(name: string, wait: number, act: () => void) {
    clearTimeout(this.timers[name])
    this.timers[name] = window.setTimeout(act, wait)
  }
}
