// The setup for games on this screen. It is stored in this browser and sent to nobody.
import type { Appearance, NewRoom } from '../wire'
import { MOST } from './sides'
import { validKeys, type Keys } from './keys'

export type Form = 'tablet' | 'keys'

interface Player {
  name: string
  appearance: Appearance
}

const KEY = 'ratscrew:together'
const SHAPES: readonly Appearance['shape'][] = ['palm', 'paw', 'leaf', 'glove']

function read(): { form: Form | null; count: number; bots: number; players: Player[]; keys: Keys[] } {
  const kept = readStored()
  const players = Array.from({ length: MOST }, (_, i) => ({ name: '', appearance: { hue: i, shape: SHAPES[i]! }, ...named(kept.players?.[i]) }))
  return { form: kept.form ?? null, count: kept.count ?? 2, bots: kept.bots ?? 0, players, keys: validKeys(kept.keys ?? []) }
}

/** A stored player; versions before 2026 stored the appearance as `guise`. */
function named({ guise, ...player }: Partial<Player> & { guise?: Appearance } = {}): Partial<Player> {
  return { ...(guise && { appearance: guise }), ...player }
}

type Kept = Partial<{ form: Form; count: number; bots: number; players: Partial<Player>[]; keys: unknown[] }>

function readStored(): Kept {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as Kept
  } catch {
    return {}
  }
}

export const savedSetup = $state(read())

export function saveSetup() {
  localStorage.setItem(KEY, JSON.stringify(savedSetup))
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
  sessionStorage.setItem(key(room), JSON.stringify(planned))
}

export function savedPlan(room: string): Plan {
  const planned = sessionStorage.getItem(key(room))
  return planned ? (JSON.parse(planned) as Plan) : { form: savedSetup.form ?? 'tablet', bots: 0, strength: 'steady', deal: false }
}
