// A house's options by path, and back. A pattern's switch is `slaps.NAME`, its parameters are below it.
import type { RuleOptions, Choice } from '../net/rules'

export type Table = Record<string, unknown>

const PENALTIES = ['wrong_slap', 'no_cards'] as const
const SLAPS = 'slaps.'

const nameOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)

const options = (all: RuleOptions) =>
  all.groups.flatMap((group) => group.options).filter(({ kind }) => kind !== 'table')

export function flatten(all: RuleOptions, rules: Table): Table {
  const chosen: Table = {}
  const slaps = rules.slaps as Table
  for (const { path } of options(all)) chosen[path] = path.startsWith(SLAPS) ? (slaps[nameOf(path)] ?? []) : rules[path]
  for (const option of PENALTIES) lay(chosen, option, rules[option] as Table)
  for (const { name, only } of all.slaps) {
    const value = slaps[name] ?? false
    chosen[SLAPS + name] = value !== false
    if (value !== false && only) chosen[`${SLAPS}${name}.${only}`] = value
    else if (typeof value === 'object') lay(chosen, SLAPS + name, value as Table)
  }
  return chosen
}

export function unflatten(all: RuleOptions, chosen: Table): Table {
  const choices: Table = {}
  const slaps: Table = (choices.slaps = {})
  for (const { path } of options(all)) (path.startsWith(SLAPS) ? slaps : choices)[nameOf(path)] = chosen[path]
  for (const { name, parameters } of all.slaps) {
    slaps[name] = chosen[SLAPS + name] === true && (parameters.length ? given(parameters, chosen) : true)
  }
  for (const option of PENALTIES) {
    const kind = chosen[`${option}.kind`]
    choices[option] = { kind, ...given(all[option].find((cost) => cost.kind === kind)?.parameters ?? [], chosen) }
  }
  return choices
}

function lay(chosen: Table, path: string, inner: Table) {
  for (const [name, value] of Object.entries(inner)) chosen[`${path}.${name}`] = value
}

const given = (parameters: readonly Choice[], chosen: Table): Table =>
  Object.fromEntries(parameters.map(({ path }) => [nameOf(path), chosen[path]]))
