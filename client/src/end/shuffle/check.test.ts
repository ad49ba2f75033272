import { beforeEach, describe, expect, it, vi } from 'vitest'
import docs from '../../../../docs/shuffle.md?raw'
import { RULES, toPlay } from '../../testing'
import type { TableEvent } from '../../room/public-view'
import type { Card, Finished, Rules } from '../../wire'
import { check, type Checked } from './check'
import { deal } from './deal'
import { commitmentOf, drawsOf, promiseOf } from './commitment'

interface Example {
  game: string
  seed: string
  numbers: string[]
  house: string
  promise: string
  commitment: string
  dealer: number
  hands: string[]
  pile: string
}

const EXAMPLES = JSON.parse(/```json\n(.*?)```/s.exec(docs)![1]!) as Example[]
const rulesOf = ({ house }: Example): Rules => ({
  ...RULES,
  ...Object.fromEntries(
    house
      .split(';')
      .slice(2)
      .map((choice) => choice.split('=') as [string, string])
      .map(([name, value]) => [name, name === 'jokers' ? Number(value) : value]),
  ),
})
const cards = (text: string) => text.split(' ').filter(Boolean) as Card[]

describe('a verifiable shuffle', () => {
  it.each(EXAMPLES)('comes out as in the worked example $game', (example) => {
    const { game, seed, numbers, promise, commitment, dealer, hands, pile } = example
    expect(promiseOf(game, seed)).toBe(promise)
    expect(commitmentOf(game, seed, numbers)).toBe(commitment)
    const draw = drawsOf(game, seed, numbers)
    if (game.endsWith('-1')) expect(draw(numbers.length)).toBe(dealer)
    expect(deal(rulesOf(example), numbers.length, dealer, draw)).toEqual({ hands: hands.map(cards), pile: cards(pile) })
  })
})

const [EXAMPLE] = EXAMPLES as [Example]
const HANDS = EXAMPLE.hands.map(cards)
const { promise, commitment, seed } = EXAMPLE

/** The first example, in which both have turned two cards; `more` changes its commitment. */
function finished(
  more: Partial<Extract<TableEvent, { e: 'committed' }>> = {},
  turned = [HANDS[1]![0]!, HANDS[0]![0]!, HANDS[1]![1]!],
  given: string | null = seed,
): Finished {
  const events: TableEvent[] = [
    { e: 'committed', promise, commitment, nonces: EXAMPLE.numbers, seed: null, ...more },
    { e: 'dealt_public', rules: RULES, cards_held: [26, 26], standing: toPlay(1), pile: [] },
    ...turned.map((card, at): TableEvent => ({
      e: 'played',
      seat: 1 - (at % 2),
      card,
      n: at + 1,
      standing: toPlay(at % 2),
      answer_number: 0,
      aside: false,
      at_ms: null,
    })),
  ]
  return {
    game: EXAMPLE.game,
    house: EXAMPLE.house,
    seats: [],
    events: events.map((e) => ({ at_ms: 0, e })),
    openings: [],
    seed: given,
  }
}

const wrong = ({ found }: Checked) => found.filter(({ holds }) => holds === false).map(({ what }) => what)

describe('a game that is over', () => {
  const kept = new Map<string, string>()
  beforeEach(() => {
    kept.clear()
    vi.stubGlobal('sessionStorage', { getItem: (key: string) => kept.get(key) ?? null })
  })
  const keep = (more: object) =>
    kept.set(
      `ratscrew:shuffle:${EXAMPLE.game}`,
      JSON.stringify({ promise, drawn: [], given: [EXAMPLE.numbers[0]], commitment, ...more }),
    )

  it('is fair, and says how many cards were seen', () => {
    keep({})
    const checked = check(finished())
    expect([checked.verdict, checked.seen, wrong(checked)]).toEqual(['fair', 3, []])
    expect(checked.found.find(({ what }) => what === 'mine')?.holds).toBe(true)
  })
  it('is fair for somebody who has not played there, whose own number nothing is said of', () => {
    const checked = check(finished())
    expect([checked.verdict, checked.found.find(({ what }) => what === 'mine')?.holds]).toEqual(['fair', null])
  })
  it('is not, if two cards have changed places', () => {
    expect(wrong(check(finished({}, [HANDS[1]![0]!, HANDS[0]![1]!])))).toEqual(['deck'])
  })
  it('is not, with another seed', () => {
    expect(wrong(check(finished({}, undefined, 'ff'.repeat(32))))).toEqual(
      expect.arrayContaining(['promise', 'commitment', 'deck']),
    )
  })
  it('is not, with another number', () => {
    expect(wrong(check(finished({ nonces: ['00'.repeat(16), '-'] })))).toEqual(
      expect.arrayContaining(['commitment', 'deck']),
    )
  })
  it('is not, if this page was promised something else', () => {
    keep({ promise: '00' })
    expect(wrong(check(finished()))).toEqual(['promise'])
  })
  it('is not, if this page was promised something and now nothing', () => {
    keep({})
    expect(wrong(check(finished({ promise: null })))).toEqual(['promise'])
  })
  it('is not, if the number that this page gave is not in it', () => {
    keep({ given: ['00'.repeat(16)] })
    expect(wrong(check(finished()))).toEqual(['mine'])
  })
  it('is not, if this page was told another commitment at the deal', () => {
    keep({ commitment: '00' })
    expect(wrong(check(finished()))).toEqual(['mine'])
  })
  it('cannot be checked, if its cards were laid out, or it is older', () => {
    const old = finished()
    expect(check({ ...old, events: old.events.slice(1) }).verdict).toBe('uncommitted')
    expect(check({ ...old, events: [{ at_ms: 0, e: { e: 'laid_out' } }, ...old.events.slice(1)] }).verdict).toBe(
      'laid_out',
    )
  })
})
