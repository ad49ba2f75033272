// Which key of a shared keyboard is whose, by its position (`KeyboardEvent.code`). No listeners and no output here.
import type { TableAction } from '../room/actions'

export type What = 'turn' | 'slap'
export type Keys = Readonly<Record<What, string>>

/** For each player keys in another part of the keyboard: neither hands nor the wires under the keys get in each other's way. */
export const USUAL: readonly Keys[] = [
  { turn: 'KeyQ', slap: 'KeyA' },
  { turn: 'KeyP', slap: 'KeyL' },
  { turn: 'KeyV', slap: 'KeyB' },
  { turn: 'ArrowLeft', slap: 'ArrowRight' },
]

/** With these one gets around on a page, or the system takes them. */
const RESERVED = /^(Space|Tab|Escape|Enter|NumpadEnter|Backspace|CapsLock|(Shift|Control|Alt|Meta|OS)(Left|Right)|F\d+|ContextMenu|.*Lock|PrintScreen|)$/

export interface Owner {
  player: number
  what: What
}

export function ownerOf(all: readonly Keys[], code: string): Owner | null {
  for (const [player, keys] of all.entries()) {
    for (const what of ['turn', 'slap'] as const) if (keys[what] === code) return { player, what }
  }
  return null
}

/** Why a key cannot become somebody's: it is needed elsewhere (`reserved`), or it is taken by its owner; null if it can. */
export function keyConflict(all: readonly Keys[], wanted: Owner, code: string): 'reserved' | Owner | null {
  if (RESERVED.test(code)) return 'reserved'
  const owner = ownerOf(all, code)
  return owner && (owner.player !== wanted.player || owner.what !== wanted.what) ? owner : null
}

/** The keys after a wish that has no fault; who is not here now and had that key gets the old one for it. */
export function withKey(all: readonly Keys[], { player, what }: Owner, code: string): Keys[] {
  const before = ownerOf(all, code)
  const old = all[player]![what]
  return all.map((keys, i) => ({ ...keys, ...(i === before?.player && { [before.what]: old }), ...(i === player && { [what]: code }) }))
}

/** Kept keys, if they are sound; the usual ones for a player whose keys are not. */
export function validKeys(kept: readonly unknown[]): Keys[] {
  const found: Keys[] = []
  for (const [player, usual] of USUAL.entries()) {
    const keys = kept[player] as Partial<Keys> | undefined
    const mine = { turn: String(keys?.turn ?? usual.turn), slap: String(keys?.slap ?? usual.slap) }
    found.push(mine)
  }
  const codes = found.flatMap(({ turn, slap }) => [turn, slap])
  const good = new Set(codes).size === codes.length && !codes.some((code) => RESERVED.test(code))
  return good ? found : [...USUAL]
}

/** What a key says on it: as this keyboard is laid out, if the browser knows, or by its place. */
export function labelOf(code: string, layout: ReadonlyMap<string, string> | null): string {
  const here = layout?.get(code)
  if (here) return here.toUpperCase()
  return SIGNS[code] ?? code.replace(/^(Key|Digit)/, '').replace(/^Numpad/, 'Num ')
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Semicolon: ';',
  Quote: "'",
  Comma: ',',
  Period: '.',
  Slash: '/',
  Backslash: '\\',
  BracketLeft: '[',
  BracketRight: ']',
  Minus: '-',
  Equal: '=',
  Backquote: '`',
}

/** The deed for which a player's key stands now, if any: the most urgent one, and where there is a choice of two, the other. */
export function actionForKey<T extends Pick<TableAction, 'look'>>(actions: readonly T[], what: What, choosing: boolean): T | undefined {
  const urgent = actions.filter(({ look }) => look === 'main')
  return what === 'turn' ? urgent[0] : choosing ? urgent[1] : undefined
}
