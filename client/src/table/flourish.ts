// What adorns the table for a moment: the number of cards won over the deck that gets them, a jolt for a big pile, sparks
// for a streak, the pile's flinch from a wrong slap, and the winner's fan.
import '../styles/flourish.css'
import { animate } from '../browser/animation'
import type { Appearance } from '../wire'
import { handArt } from './hand-art'
import { transformOf, type Place } from './table-layout'
import { animateTo } from './motion'
import { prefersReducedMotion } from './reduced-motion'

const GAIN_MS = 1100
const JOLT_MS = 220
const BIG = 10 // cards from which on the table jolts
const JOLT_PX = 8

const COUNTED_MS = 420
const COUNTED = 8 // numbers that are shown on the way to a pile's

/** Shows `+count` at a deck, counting up, and jolts the table by up to 8 pixels, more for more cards. Sparks fly for a
    `streak` of so many piles. */
export function showGain(middle: HTMLElement, deck: Place, count: number, streak = 0, hue = 0) {
  const sign = document.createElement('b')
  sign.className = 'gain'
  sign.ariaHidden = 'true'
  sign.translate = false
  sign.dataset.count = String(count)
  sign.textContent = `+${count}`
  middle.append(sign)
  const size = 1 + Math.min(1, count / 26)
  const far = Math.hypot(deck.x, deck.y) || 1
  /** `in_px` from the deck towards the pile, where no seat covers it. */
  const at = (in_px: number, scale: number) =>
    transformOf({ x: deck.x * (1 - in_px / far), y: deck.y * (1 - in_px / far), turn: deck.turn, scale })
  const still = prefersReducedMotion()
  sign.style.transform = at(70, size)
  if (still) return void setTimeout(() => sign.remove(), GAIN_MS)
  if (count >= COUNTED) countUp(sign, count)
  if (streak) showSparks(middle, at(66, 1), streak, hue)
  const frames = [
    { transform: at(40, 0.4), opacity: 0, offset: 0 },
    { transform: at(66, size * 1.15), opacity: 1, offset: 0.13 },
    { transform: at(70, size), opacity: 1, offset: 0.52, easing: 'ease-out' },
    { transform: at(84, size), opacity: 0 },
  ]
  void animateTo(sign, frames, GAIN_MS).then(() => sign.remove())
  if (count >= BIG) jolt(middle, Math.min(JOLT_PX, count / 3))
}

function jolt(middle: HTMLElement, px: number) {
  const moved = [0, -px, px * 0.8, -px * 0.5, px * 0.25, 0].map((y, i) => ({
    transform: `translate(${i % 2 ? px * 0.4 : 0}px, ${y}px)`,
  }))
  animate(middle, moved, { duration: JOLT_MS, easing: 'ease-out' })
}

/** The pile flinches sideways. */
export function showFlinch(middle: HTMLElement) {
  if (prefersReducedMotion()) return
  animate(
    middle,
    [0, -5, 4, -2, 0].map((x) => ({ transform: `translate(${x}px, 0)` })),
    { duration: JOLT_MS, easing: 'ease-out' },
  )
}

/** Moves a column of numbers past the sign, step by step: a text that changes would be laid out and painted each time. */
function countUp(sign: HTMLElement, count: number) {
  const column = document.createElement('span')
  column.textContent = Array.from(
    { length: COUNTED },
    (_, step) => `+${Math.round((count * (step + 1)) / COUNTED)}`,
  ).join('\n')
  sign.replaceChildren(column)
  const steps = COUNTED - 1
  const transform = `translateY(${(-100 * steps) / COUNTED}%)`
  void animateTo(
    column,
    [
      { transform: 'none', offset: 0, easing: `steps(${steps})` },
      { transform, offset: (COUNTED_MS * steps) / COUNTED / GAIN_MS },
      { transform },
    ],
    GAIN_MS,
  )
}

const SPARKS_MOST = 12
const SPARK_MS = 720

/** Two sparks for each pile of a streak, in the player's colour, around a place. */
function showSparks(middle: HTMLElement, place: string, streak: number, hue: number) {
  const sparks = document.createElement('div')
  sparks.className = `sparks hue-${hue}`
  sparks.ariaHidden = 'true'
  sparks.style.transform = place
  const count = Math.min(SPARKS_MOST, 2 * streak)
  for (let i = 0; i < count; i++) {
    const spark = sparks.appendChild(document.createElement('i'))
    const turn = `rotate(${(360 / count) * i}deg)`
    const flown = animateTo(
      spark,
      [
        { transform: `${turn} translateY(-14px) scaleY(.4)`, opacity: 1, offset: 0 },
        { transform: `${turn} translateY(-58px) scaleY(1.3)`, opacity: 1, offset: 0.12, easing: 'ease-out' },
        { transform: `${turn} translateY(-74px) scaleY(.2)`, opacity: 0 },
      ],
      SPARK_MS,
    )
    if (!i) void flown.then(() => sparks.remove())
  }
  middle.append(sparks)
}

const FAN_MS = 1300
const FAN = 13 // backs in the fan, of four cards each
const FAN_DEGREES = 9

/** The winner's moment: all cards fan out slowly, and the winner's hand stamps down. It stays while the end is not shown. */
export function showWin(middle: HTMLElement, { hue, shape }: Appearance) {
  const still = prefersReducedMotion()
  const fan = document.createElement('div')
  fan.className = 'fan'
  fan.ariaHidden = 'true'
  for (let i = 0; i < FAN; i++) {
    const back = document.createElement('i')
    back.className = 'card'
    const turn = `rotate(${(i - (FAN - 1) / 2) * FAN_DEGREES}deg)`
    back.style.transform = turn
    if (!still)
      animate(
        back,
        [
          { transform: 'rotate(0deg)', opacity: 0 },
          { transform: turn, opacity: 1 },
        ],
        { duration: FAN_MS * 0.6, delay: i * 12, easing: 'cubic-bezier(.2,.8,.2,1)', fill: 'backwards' },
      )
    fan.append(back)
  }
  const hand = handArt(shape)
  hand.classList.add(`hue-${hue}`)
  fan.append(hand)
  middle.append(fan)
  if (!still)
    animate(
      hand,
      [
        { transform: 'translate(-50%, -140%) scale(1.9)', opacity: 0 },
        { transform: 'translate(-50%, -50%) scale(1.9)', opacity: 1, offset: 0.55 },
        { transform: 'translate(-50%, -50%) scale(1)', opacity: 1 },
      ],
      { duration: 420, delay: FAN_MS * 0.55, easing: 'cubic-bezier(.5,0,.9,.4)', fill: 'backwards' },
    )
  window.setTimeout(() => fan.remove(), 2 * FAN_MS)
}
