// Which key of a shared keyboard is whose, by its position (`KeyboardEvent.code`). No listeners and no output here.
import { fieldsOf } from '../browser/stored'
import type { TableAction } from '../room/actions'

export type What = 'turn' | 'slap'
export type Keys = Readonly<Record<What, string>>

/** Each player's default keys, in different parts of the keyboard: neither hands nor the key matrix conflict. */
export const USUAL: readonly Keys[] = [
  { turn: 'KeyQ', slap: 'KeyA' },
  { turn: 'KeyP', slap: 'KeyL' },
  { turn: 'KeyV', slap: 'KeyB' },
  { turn: 'ArrowLeft', slap: 'ArrowRight' },
]

/** Keys that navigate the page, or belong to the system. */
const RESERVED =
  /^(Space|Tab|Escape|Enter|NumpadEnter|Backspace|CapsLock|(Shift|Control|Alt|Meta|OS)(Left|Right)|F\d+|ContextMenu|.*Lock|PrintScreen|)$/

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

/** Why a key cannot be chosen: it is `reserved`, or another owner has it; null if it can. */
export function keyConflict(all: readonly Keys[], wanted: Owner, code: string): 'reserved' | Owner | null {
  if (RESERVED.test(code)) return 'reserved'
  const owner = ownerOf(all, code)
  return owner && (owner.player !== wanted.player || owner.what !== wanted.what) ? owner : null
}

/** The keys after a valid choice; an absent player who had that key gets the old one for it. */
export function withKey(all: readonly Keys[], { player, what }: Owner, code: string): Keys[] {
  const before = ownerOf(all, code)
  const old = all[player]![what]
  return all.map((keys, i) => ({
    ...keys,
    ...(i === before?.player && { [before.what]: old }),
    ...(i === player && { [what]: code }),
  }))
}

/** Stored keys, if they are valid, else the default ones. */
export function validKeys(kept: readonly unknown[]): Keys[] {
  const found: Keys[] = []
  for (const [player, usual] of USUAL.entries()) {
    found.push(fieldsOf(kept[player], usual, {}))
  }
  const codes = found.flatMap(({ turn, slap }) => [turn, slap])
  const good = new Set(codes).size === codes.length && !codes.some((code) => RESERVED.test(code))
  return good ? found : [...USUAL]
}

/** A key's label: by this keyboard's layout, if the browser knows it, else by its position. */
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

/** The action of a player's key now, if any: the most urgent one on the turn key, and of a choice of two the other on the slap key. */
export function actionForKey<T extends Pick<TableAction, 'look'>>(
  actions: readonly T[],
  what: What,
  choosing: boolean,
): T | undefined {
  const urgent = actions.filter(({ look }) => look === 'main')
  return what === 'turn' ? urgent[0] : choosing ? urgent[1] : undefined
}
