// The setup for games on this screen. It is stored in this browser and sent to nobody.
import { local, tab } from '../browser/storage'
import { fieldsOf, isFlag, isNullOr, isObject, isOneOf, isShape, isWhole, parsed } from '../browser/stored'
import { isAppearance, isName, isStrength } from '../settings.svelte'
import type { Appearance, NewRoom } from '../wire'
import { FEWEST, MOST } from './sides'
import { validKeys, type Keys } from './keys'

export type Form = 'tablet' | 'keys'

interface Player {
  name: string
  appearance: Appearance
}

const KEY = 'ratscrew:together'
const SHAPES: readonly Appearance['shape'][] = ['palm', 'paw', 'leaf', 'glove']

const isForm = isOneOf<Form>('tablet', 'keys')

function read(): { form: Form | null; count: number; bots: number; players: Player[]; keys: Keys[] } {
  const kept = parsed(local.get(KEY))
  const { players, keys } = isObject(kept) ? kept : {}
  const fields = fieldsOf(
    kept,
    { form: null as Form | null, count: FEWEST, bots: 0 },
    { form: isNullOr(isForm), count: isWhole(FEWEST, MOST), bots: isWhole(0, 7) },
  )
  return {
    ...fields,
    players: Array.from({ length: MOST }, (_, i) => player(i, list(players)[i])),
    keys: validKeys(list(keys)),
  }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A stored player; versions before 2026 stored the appearance as `guise`. */
function player(i: number, kept: unknown): Player {
  const stored = isObject(kept) && !('appearance' in kept) ? { ...kept, appearance: kept.guise } : kept
  return fieldsOf(
    stored,
    { name: '', appearance: { hue: i, shape: SHAPES[i]! } },
    { name: isName, appearance: isAppearance },
  )
}

export const savedSetup = $state(read())

export function saveSetup() {
  local.set(KEY, JSON.stringify(savedSetup))
}

/** How a room is played on this screen, how many bots are still to be added, and whether to deal then. */
interface Plan {
  form: Form
  bots: number
  strength: NonNullable<NewRoom['strength']>
  deal: boolean
}

const key = (room: string) => `ratscrew:together:${room}`

export function savePlan(room: string, planned: Plan) {
  tab.set(key(room), JSON.stringify(planned))
}

const isPlan = isShape<Plan>({ form: isForm, bots: isWhole(0, 7), strength: isStrength, deal: isFlag })

export function savedPlan(room: string): Plan {
  const planned = parsed(tab.get(key(room)))
  return isPlan(planned) ? planned : { form: savedSetup.form ?? 'tablet', bots: 0, strength: 'steady', deal: false }
}
