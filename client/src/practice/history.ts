// The last practices, kept in this browser and told to nobody.
import type { Tally } from './tally'

const KEY = 'ratscrew:practices'
const KEPT = 10

export interface Past extends Omit<Tally, 'patterns'> {
  /** When, in milliseconds since 1970. */
  at: number
  house: string
}

/** The newest first. */
export function pasts(): Past[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as Past[]) : []
  } catch {
    return []
  }
}

export function keepPast(past: Past): Past[] {
  const all = [past, ...pasts()].slice(0, KEPT)
  localStorage.setItem(KEY, JSON.stringify(all))
  return all
}
