// What all players may see of each other: leaderboards and profiles.
import { fetchJson } from '../net/api'
import { fetchHouse } from '../net/rules'
import { texts } from '../i18n/late'
import type { Leaderboard, Profile } from '../wire'
import { at } from '../base'

export const playerPath = (id: string) => at(`/players/${id}`)

export const FRIENDS = at('/me/friends')

/** The standings of a season under some rules; by default of this one, under the first of the rated rules. */
export const fetchLeaderboard = (chosen: { rules?: string; season?: string }) =>
  fetchJson<Leaderboard>(`/api/leaderboard?${new URLSearchParams(chosen)}`)

export const fetchProfile = (id: string) => fetchJson<Profile>(`/api/players/${encodeURIComponent(id)}`)

const titles = new Map<string, Promise<string>>()

/** What rules are called; each is asked for once. */
export function rulesTitle(rules: string): Promise<string> {
  const title =
    titles.get(rules) ??
    fetchHouse(rules)
      .then(({ title, differences }) => texts.rules.changed(title, differences.length))
      .catch(() => rules)
  titles.set(rules, title)
  return title
}

/** The sum of rows of numbers of the same length. */
export function sum(rows: readonly (readonly number[])[]): number[] {
  const total: number[] = []
  for (const row of rows) row.forEach((each, i) => (total[i] = (total[i] ?? 0) + each))
  return total
}

/** Numbers as shares of their sum; all 0 if that is 0. */
export function shares(numbers: readonly number[]): number[] {
  const total = numbers.reduce((one, other) => one + other, 0)
  return numbers.map((each) => (total ? each / total : 0))
}
