// The actions that a player may ask for besides turning and slapping, by the rules and the moment. The server decides.
import type { Act, View } from '../wire'
import { texts } from '../i18n/table'
import { owesForehead } from './selectors'

export interface TableAction extends Omit<Act, 't'> {
  label: string
  /** The key for it on a laptop, as `KeyboardEvent.code`. */
  key: string
  /** `main` is prominent, `plain` is not, `feint` is a small icon. */
  look: 'main' | 'plain' | 'feint'
}

/** Everything that seat `you` may do now, the most urgent first. */
export function availableActions(view: View, you: number, name: (seat: number) => string): TableAction[] {
  const person = view.seat_states[you]
  if (!person || view.standing.phase === 'over') return []
  return [
    ...(person.playing ? [...disputeActions(view, you, name), ...cardActions(view, you, name)] : []),
    ...handActions(view, you, name),
    ...(view.rules.feints && !person.out ? feintActions(view) : []),
  ]
}

const feintActions = (view: View): TableAction[] => [
  ...(view.slappable
    ? [{ action: 'fake_slap', label: texts.deeds.fakeSlap, key: 'KeyS', look: 'feint' } as const]
    : []),
  { action: 'feint', label: texts.deeds.feintCard, key: 'KeyG', look: 'feint' },
]

/** Actions in a claim, a tie, a split or a pickup. */
function disputeActions(view: View, you: number, name: (seat: number) => string): TableAction[] {
  const { phase, turn } = view.standing
  const found: TableAction[] = []
  if (phase === 'claim' && !view.claimants.includes(you) && inHand(view, you)) {
    found.push({ action: 'contest', label: texts.deeds.contest, key: 'KeyX', look: 'main' })
  }
  if (phase === 'tie' && !view.tied.includes(you)) {
    for (const [i, seat] of view.tied.entries())
      found.push({
        action: 'award',
        target: seat,
        label: texts.deeds.award(name(seat)),
        key: `Digit${i + 1}`,
        look: 'main',
      })
  }
  if (phase === 'split' && turn === you) {
    found.push({ action: 'choose', half: 'top', label: texts.deeds.upper, key: 'Digit1', look: 'main' })
    found.push({ action: 'choose', half: 'bottom', label: texts.deeds.lower, key: 'Digit2', look: 'main' })
  }
  if (view.thief !== null && view.thief !== you && (phase === 'grab' || phase === 'play' || phase === 'won')) {
    found.push({ action: 'notice', label: texts.deeds.caught, key: 'KeyX', look: phase === 'grab' ? 'main' : 'plain' })
  }
  return found
}

/** Actions with the pile and the cards beside it. */
function cardActions(view: View, you: number, name: (seat: number) => string): TableAction[] {
  const { rules, standing: to } = view
  const found: TableAction[] = []
  const open = to.phase === 'play' || to.phase === 'won'
  if (open && view.pile.length) {
    const won = to.phase === 'won' && to.turn === you
    if (won && (rules.collect === 'manual' || rules.judge === 'honour'))
      found.push({ action: 'collect', label: texts.deeds.collect, key: 'KeyC', look: 'main' })
    else if (rules.judge === 'honour')
      found.push({ action: 'collect', label: texts.deeds.mine, key: 'KeyC', look: 'plain' })
    else if (rules.cheat === 'split' && !won)
      found.push({ action: 'collect', label: texts.deeds.grab, key: 'KeyC', look: 'plain' })
  }
  if (to.phase === 'play' && view.asides[to.turn]?.length) {
    found.push({
      action: 'place',
      target: to.turn,
      label: to.turn === you ? texts.deeds.placeMine : texts.deeds.place(name(to.turn)),
      key: 'KeyP',
      look: 'plain',
    })
  }
  if (rules.out_of_turn === 'aside' && open && inHand(view, you)) {
    found.push({ action: 'reveal', label: texts.deeds.reveal, key: 'KeyR', look: 'plain' })
  }
  return found
}

function handActions(view: View, you: number, name: (seat: number) => string): TableAction[] {
  const found: TableAction[] = []
  if (owesForehead(view, you))
    found.push({ action: 'forehead', label: texts.deeds.forehead, key: 'KeyH', look: 'main' })
  view.seat_states.forEach((person, seat) => {
    if (person.hovering && seat !== you)
      found.push({
        action: 'slap_down',
        target: seat,
        label: texts.deeds.slapDown(name(seat)),
        key: 'KeyD',
        look: 'plain',
      })
  })
  return found
}

const inHand = (view: View, seat: number) => (view.cards_held[seat] ?? 0) > (view.asides[seat]?.length ?? 0)
