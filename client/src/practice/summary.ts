// The results of a practice: times, misses and false alarms, by pattern and in total. Shows nothing.
import type { Card } from '../wire'

/** One card and what I did about it; `ms` after it was to be seen, null if nothing. */
export interface Answer {
  card: Card
  slaps: readonly string[]
  ms: number | null
}

export interface Row {
  /** The pattern by which a slap is called. */
  pattern: string
  hits: number
  misses: number
  best: number | null
  median: number | null
}

export interface Summary extends Omit<Row, 'pattern'> {
  wrong: number
  patterns: readonly Row[]
}

const slappable = (answer: Answer) => answer.slaps.length > 0

export function median(times: readonly number[]): number | null {
  const sorted = [...times].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2)
}

function row(answers: readonly Answer[]): Omit<Row, 'pattern'> {
  const times = answers.flatMap(({ ms }) => (ms === null ? [] : [ms]))
  return {
    hits: times.length,
    misses: answers.length - times.length,
    best: times.length ? Math.min(...times) : null,
    median: median(times),
  }
}

export function summarise(answers: readonly Answer[]): Summary {
  const there = answers.filter(slappable)
  const names = [...new Set(there.map(({ slaps }) => slaps[0]!))].sort()
  const patterns = names.map((pattern) => ({ pattern, ...row(there.filter(({ slaps }) => slaps[0] === pattern)) }))
  return { ...row(there), wrong: answers.filter((answer) => !slappable(answer) && answer.ms !== null).length, patterns }
}

/** A dot of the chart: where a card comes in the practice, and how it went. */
export interface Dot {
  n: number
  kind: 'hit' | 'miss' | 'wrong'
  ms: number | null
}

export function dots(answers: readonly Answer[]): Dot[] {
  return answers.flatMap((answer, i): Dot[] => {
    const { ms } = answer
    if (slappable(answer)) return [{ n: i + 1, kind: ms === null ? 'miss' : 'hit', ms }]
    return ms === null ? [] : [{ n: i + 1, kind: 'wrong', ms }]
  })
}
