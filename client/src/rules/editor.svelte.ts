// The state of the rule editor: the chosen values, and the server's answer. The server lists the options and checks
// whether they fit together.
import { errorMessages } from '../net/api'
import {
  fetchRuleOptions,
  fetchHouse,
  buildHouse,
  DEFAULT_HOUSE,
  type RuleOptions,
  type Choice,
  type PenaltyOption,
  type Requirement,
  type PatternOption,
} from '../net/rules'
import type { Chosen } from '../wire'
import { texts } from '../i18n/late'
import { unflatten, flatten, type Table } from './paths'

const QUIET_MS = 160

export class Editor {
  all = $state.raw<RuleOptions | null>(null)
  /** The last valid house. */
  good = $state.raw<Chosen | null>(null)
  problems = $state.raw<readonly string[]>([])
  /** Whether `good` is the current choice. */
  sound = $state(false)

  /** The preset from which these rules were made. */
  private base = 'classic'
  private chosen = $state<Table>({})
  private timer = 0
  private asked = 0

  constructor(text: string) {
    void this.load(text)
  }

  /** Loads the house of a text; if that is invalid, keeps the last one, or loads the default. */
  async load(text: string) {
    clearTimeout(this.timer)
    this.sound = false // `good` is not the current choice any more
    await this.settle(() => fetchHouse(text), true)
    const { problems } = this
    if (this.good || !problems.length || text === DEFAULT_HOUSE) return
    await this.settle(() => fetchHouse(DEFAULT_HOUSE), true)
    this.problems = problems
    this.sound = false
  }

  at(path: string): unknown {
    return this.chosen[path]
  }

  choose(path: string, value: unknown) {
    const all = this.all
    if (!all) return
    this.sound = false
    this.chosen[path] = value
    if (value === true) this.fill(this.slap(path)?.parameters ?? [])
    if (path.endsWith('.kind')) this.fill(this.cost(path.slice(0, -'.kind'.length))?.parameters ?? [], true)
    clearTimeout(this.timer)
    const ask = () => buildHouse({ choices: unflatten(all, this.chosen), preset: this.base })
    this.timer = window.setTimeout(() => void this.settle(ask), QUIET_MS)
  }

  /** The problems with one option. */
  problemsAt(path: string): readonly string[] {
    return this.problems.filter((problem) => pathOf(problem) === path)
  }

  /** The unmet requirement of an option's value (null: any value). */
  lack(choice: Choice, value: unknown = null): Requirement | undefined {
    const needs = choice.needs.filter((need) => need.value === value)
    const met = needs.some((need) => need.values.includes(this.valueOf(need.option)))
    return met ? undefined : needs[0]
  }

  /** A requirement as text. */
  says(need: Requirement): string {
    const slap = this.slap(need.option)
    const other = slap
      ? slap.parameters.find(({ path }) => path === `${need.option}.${slap.only}`)
      : this.choice(need.option)
    const title = slap?.title ?? other?.title ?? need.option
    const said = other?.values.find(({ value }) => value === need.values[0])?.text ?? ''
    return need.values.length > 1 ? texts.editor.needsOther(title) : texts.editor.needs(title, said)
  }

  slap(path: string): PatternOption | undefined {
    return this.all?.slaps.find(({ name }) => path === `slaps.${name}`)
  }

  /** The penalties that may be chosen for an option. */
  costs(option: string): readonly PenaltyOption[] {
    return option === 'wrong_slap' || option === 'no_cards' ? (this.all?.[option] ?? []) : []
  }

  /** The penalty that is chosen for it. */
  cost(option: string): PenaltyOption | undefined {
    return this.costs(option).find(({ kind }) => kind === this.chosen[`${option}.kind`])
  }

  choice(path: string): Choice | undefined {
    const groups = this.all?.groups.flatMap(({ options }) => options) ?? []
    const slaps = this.all?.slaps.flatMap(({ parameters }) => parameters) ?? []
    return [...groups, ...slaps].find((choice) => choice.path === path)
  }

  /** A value as requirements name it: a pattern is `off`, or its only parameter. */
  private valueOf(path: string): unknown {
    const slap = this.slap(path)
    if (!slap) return this.chosen[path]
    return !this.chosen[path] ? 'off' : slap.only ? this.chosen[`${path}.${slap.only}`] : true
  }

  /** Gives parameters without a value their default, else a preset's value. */
  private fill(parameters: readonly Choice[], anew = false) {
    const { all } = this
    if (!all) return
    const houses = all.presets.map(({ rules }) => flatten(all, rules as unknown as Table))
    for (const { path, default: plain, least, values } of parameters) {
      const has = this.chosen[path]
      const empty = has === undefined || (Array.isArray(has) && !has.length)
      const known = houses.find((house) => house[path] !== undefined)?.[path]
      if (anew || empty) this.chosen[path] = plain ?? known ?? least ?? values[0]?.value
    }
  }

  /** Applies an answer if it is for the latest request; `anew`: with its choices. */
  private async settle(ask: () => Promise<Chosen>, anew = false) {
    const turn = ++this.asked
    try {
      const [all, good] = await Promise.all([fetchRuleOptions(), ask()])
      if (turn !== this.asked) return
      if (anew) {
        this.chosen = flatten(all, good.rules)
        this.base = good.preset
      }
      this.all = all
      this.good = good
      this.problems = []
      this.sound = true
    } catch (error) {
      if (turn !== this.asked) return
      this.problems = errorMessages(error)
      this.sound = false
    }
  }
}

/** The path of the option that a problem is about: the problem begins with it. */
export const pathOf = (problem: string): string => /^[\w.]*\w/.exec(problem)?.[0] ?? ''
