// The last practices, stored in this browser and sent to nobody.
import { local } from '../browser/storage'
import { isNullOr, isShape, isText, isWhole, parsed } from '../browser/stored'
import type { Summary } from './summary'

const KEY = 'ratscrew:practices'
const KEPT = 10

export interface PastPractice extends Omit<Summary, 'patterns'> {
  /** When, in milliseconds since 1970. */
  at: number
  house: string
}

const COUNT = isWhole(0)
const isPast = isShape<PastPractice>({
  at: COUNT,
  house: isText,
  hits: COUNT,
  misses: COUNT,
  wrong: COUNT,
  best: isNullOr(isWhole(0)),
  median: isNullOr(isWhole(0)),
})

/** The newest first. */
export function practiceHistory(): PastPractice[] {
  const kept = parsed(local.get(KEY))
  return Array.isArray(kept) ? kept.filter(isPast).slice(0, KEPT) : []
}

export function saveToHistory(past: PastPractice): PastPractice[] {
  const all = [past, ...practiceHistory()].slice(0, KEPT)
  local.set(KEY, JSON.stringify(all))
  return all
}
