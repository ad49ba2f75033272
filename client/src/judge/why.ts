// Explains a race in figures and sentences. Does not judge: all of it is in the proof of each hand. Unit: microseconds.
import { cardSymbol } from '../cards/card'
import type { Race } from '../room/races'
import type { SlapRecord } from '../wire'
import { texts } from '../i18n/late'

const EARLY_US = 12_000 // a slap's stamp may be this much before the heartbeat that says that there was none
const LITTLE_US = 500 // smaller differences are not mentioned

// in percent: the judge says no more than "at least" from here on, and below the other that the page has another view
const SURE = 99
const DOUBTFUL = 50

/** The figures of one hand. */
export interface Figures {
  /** Its reaction by its page's clock. */
  own: number
  /** The extra network delay, of the card or the slap, beyond the best round trip. */
  lost: number
  /** How much of it is credited. */
  granted: number
  /** How much could be credited. */
  most: number
  free: number
  purse: number
  /** Whether its page contradicted itself. */
  contradicted: boolean
}

/** The figures of a hand; null if it has no proof. */
export function figuresOf({ proof }: SlapRecord): Figures | null {
  if (!proof) return null
  const { arrived_us, rtt_us, pressed_us, beat_us, free_us: free, purse_us: purse, granted_us: granted } = proof
  const own = Math.max(pressed_us, (beat_us ?? -Infinity) - EARLY_US)
  return {
    own,
    lost: arrived_us - rtt_us / 2 - own,
    granted,
    most: free + purse,
    free,
    purse,
    contradicted: own > pressed_us,
  }
}

/** The notes on one hand. */
export function notesOf(hit: SlapRecord, bot: boolean): string[] {
  const t = texts.judge.hand
  const figures = figuresOf(hit)
  if (!figures) return [bot ? t.bot : t.server]
  const { own, lost, granted, most, free, purse, contradicted } = figures
  const notes = [t.own(own)]
  if (lost < LITTLE_US) notes.push(t.noMore)
  else if (lost - granted < LITTLE_US) notes.push(t.whole(lost))
  else notes.push(t.partly(lost, Math.max(0, granted), most), t.purse(free, purse))
  if (contradicted) notes.push(t.contradicted)
  return notes
}

/** Why the order is as it is; `name` gives a seat's name, or null for my own. */
export function reasonsOf(race: Race, name: (seat: number) => string | null): string[] {
  const t = texts.judge.why
  if (race.wrong) return [t.wrong]
  const [first, ...others] = race.order
  if (!first) return []
  const reasons: string[] = []
  const who = name(first.seat)
  const second = others[0]
  if (race.tie) reasons.push(t.tie)
  else if (second) {
    const than = t.than(name(second.seat))
    reasons.push(who ? t.faster(who, second.us - first.us, than) : t.iFaster(second.us - first.us, than))
  } else if (!race.late.length) reasons.push(t.alone)
  for (const hit of others) {
    const other = name(hit.seat)
    const sooner = cameAt(first) - cameAt(hit)
    const own = figuresOf(hit)?.own ?? Infinity
    if (own < first.us - LITTLE_US && !race.tie) reasons.push(other ? t.own(other, own) : t.iOwn(own))
    else if (sooner > LITTLE_US) reasons.push(other ? t.sooner(other, sooner) : t.iSooner(sooner))
  }
  const { confidence = null } = race
  if (confidence !== null && !race.tie && (second || confidence < SURE)) {
    reasons.push(confidence < DOUBTFUL ? t.doubtful(confidence) : confidence < SURE ? t.probably(confidence) : t.sure)
  }
  if (race.back) reasons.push(t.back(cardSymbol(race.back)))
  if (race.late.length) reasons.push(t.lateHands(race.late.length))
  return reasons
}

/** When a slap arrived at the server; a bot's has no network delay. */
const cameAt = (hit: SlapRecord) => hit.proof?.arrived_us ?? hit.us
