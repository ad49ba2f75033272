// What the server says of rules: all that can be chosen (rules/describe.py), and a house by its text or its choices.
import type { Choices, Chosen } from '../wire'
import { ask } from './ask'

/** The house of somebody who has chosen nothing. */
export const PLAIN = '1;classic'

export interface Value {
  value: string | boolean | number
  says: string
  touch: boolean
}

/** This choice (`value` null: any but the default) needs one of these values of another option. */
export interface Need {
  value: unknown
  option: string
  values: readonly unknown[]
  firm: boolean
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
  needs: readonly Need[]
}

export interface Slap {
  name: string
  title: string
  says: string
  example: string
  only: string | null
  parameters: readonly Choice[]
}

export interface Cost {
  kind: string
  says: string
  parameters: readonly Choice[]
}

export interface Preset {
  name: string
  title: string
  says: string
  rules: Chosen['rules']
  link: string
}

export interface Catalogue {
  groups: readonly { title: string; options: readonly Choice[] }[]
  slaps: readonly Slap[]
  wrong_slap: readonly Cost[]
  no_cards: readonly Cost[]
  presets: readonly Preset[]
  cards: readonly string[]
}

let known: Promise<Catalogue> | null = null

/** All that can be chosen; asked for once. */
export function catalogue(): Promise<Catalogue> {
  known ??= ask<Catalogue>('/api/rules').catch((error: unknown) => {
    known = null
    throw error
  })
  return known
}

export const houseOf = (text: string) => ask<Chosen>(`/api/house?text=${encodeURIComponent(text)}`)

export const makeHouse = (choices: Choices) => ask<Chosen>('/api/house', choices)
