// A bot's strength: one of three levels, or an opponent with a name.
import type { NewRoom } from '../wire'
import { texts } from '../i18n/language'

export type Strength = NonNullable<NewRoom['strength']>

export const LEVELS = ['gentle', 'steady', 'sharp'] as const satisfies Strength[]

export type Opponent = Exclude<Strength, (typeof LEVELS)[number]>

export const isLevel = (strength: Strength): strength is (typeof LEVELS)[number] =>
  LEVELS.some((plain) => plain === strength)

/** What a bot of a strength is called. */
export const strengthName = (strength: Strength) =>
  isLevel(strength) ? texts.start.strengths[strength].label : strength[0]!.toUpperCase() + strength.slice(1)

/** The most bots that can be chosen. */
export const MOST_BOTS = 7

/** How many bots these house rules have room for beside some people; a `maxPlayers` of 0 is no limit. */
export const botRoom = (maxPlayers: number, people: number) =>
  Math.min(MOST_BOTS, maxPlayers ? Math.max(0, maxPlayers - people) : MOST_BOTS)
