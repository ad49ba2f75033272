// House rules from the server: every option (rules/describe.py), and a house by its text or its options.
import type { Chosen } from '../wire'
import { fetchJson } from './api'

/** The house of a player who has chosen none. */
export const DEFAULT_HOUSE = '1;classic'

export interface Value {
  value: string | boolean | number
  text: string
  touch: boolean
}

/** This value of an option (null: any but the default) requires one of these values of another option. */
export interface Requirement {
  value: unknown
  option: string
  values: readonly unknown[]
  required: boolean
}

/** An option or a parameter, by its path in the rules. */
export interface Choice {
  path: string
  title: string
  hint: string
  kind: 'flag' | 'choice' | 'number' | 'cards' | 'chances' | 'table'
  default: unknown
  values: readonly Value[]
  least: number | null
  most: number | null
  needs: readonly Requirement[]
}

export interface PatternOption {
  name: string
  title: string
  text: string
  example: string
  only: string | null
  parameters: readonly Choice[]
  /** Few houses have it: it comes after the others. */
  special: boolean
}

export interface PenaltyOption {
  kind: string
  text: string
  parameters: readonly Choice[]
}

export interface Preset {
  name: string
  title: string
  text: string
  rules: Chosen['rules']
  link: string
}

export interface RuleOptions {
  groups: readonly { title: string; options: readonly Choice[] }[]
  slaps: readonly PatternOption[]
  wrong_slap: readonly PenaltyOption[]
  no_cards: readonly PenaltyOption[]
  presets: readonly Preset[]
  cards: readonly string[]
}

let cached: Promise<RuleOptions> | null = null

/** All options; fetched once. */
export function fetchRuleOptions(): Promise<RuleOptions> {
  cached ??= fetchJson<RuleOptions>('/api/rules').catch((error: unknown) => {
    cached = null
    throw error
  })
  return cached
}

export const fetchHouse = (text: string) => fetchJson<Chosen>(`/api/house?text=${encodeURIComponent(text)}`)

/** A house from choices as the editor has them; the server checks each. */
export const buildHouse = (choices: { choices: Record<string, unknown>; preset?: string }) =>
  fetchJson<Chosen>('/api/house', choices)
