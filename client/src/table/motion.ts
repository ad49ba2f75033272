// Animates one element. Does not depend on what is moved.
// The final style is set at once and the animation plays on top of it: nothing is held by `fill`, so no animations pile
// up on cards that stay long. Keyframes carry their own easing, because an easing over the whole would shift their
// offsets.
//
// The browser plays a transform or an opacity beside the main thread, but asks the main thread for frames around each
// start, around the end of a delay, and around each end, also when an animation that would end then is already removed.
// So a delay is a part of the animation, one that has arrived rests until it is removed together with others in one
// frame (the next time an animation starts, or by a timer), and it is made so long that its own end never comes.
import { animateNow, whenEnded } from '../browser/animation'
import { motionMs } from './reduced-motion'

export const OUT = 'cubic-bezier(.2,.7,.2,1)'
export const THROW = 'cubic-bezier(.3,.5,.4,1)'
export const SETTLE = 'cubic-bezier(.2,1.4,.4,1)'

const REST_MS = 100 // a card is usually turned up within this time after its flight
const SPARE_MS = 60_000 // the timer comes long before an animation would end
const LAST_MS = 20 // by so much earlier an animation may be removed: it has almost come to rest
const FIRST_FRAME_MS = 16 // the browser needs this long to show an animation's first frame

export interface Frame {
  transform?: string
  opacity?: number
  offset?: number
  easing?: string
}

const running = new WeakMap<Element, { animation: Animation; last: Frame }>()

/** When each animation arrives, by the page's clock. */
const arrivals = new Map<Animation, number>()
let timer = 0

/** Animates from the current position, after a `delay`; with `rest`, stays that long where it arrives. Resolves a moment
    after that, or when another animation took over. */
export function animateTo(
  element: HTMLElement | SVGElement,
  frames: Frame[],
  ms: number,
  delay = 0,
  rest = 0,
): Promise<void> {
  const last = frames[frames.length - 1]!
  const start: Frame = { offset: 0, easing: frames[0]?.easing ?? OUT, ...halt(element) }
  if (last.transform === undefined) delete start.transform
  if (last.opacity === undefined) delete start.opacity
  applyFinal(element, last)
  const wait = delay + FIRST_FRAME_MS
  const whole = wait + ms + rest
  const length = whole + REST_MS + SPARE_MS
  const moves = (frames[0]?.offset === 0 ? frames : [start, ...frames]).map((frame) => ({
    ...frame,
    offset: (wait + ms * (frame.offset ?? 1)) / length,
  }))
  moves.unshift({ ...moves[0]!, offset: 0 })
  moves.push({ ...last, offset: 1 })
  const animation = animateNow(element, moves, motionMs(length))
  running.set(element, { animation, last })
  arrivals.set(animation, performance.now() + motionMs(whole))
  const gone = whenEnded(animation).then(() => void arrivals.delete(animation)) // asked for first: one that is already removed never ends
  removeArrived() // with reduced motion this one too
  return gone
}

/** Removes the animations that have arrived, and waits for the next one. */
function removeArrived() {
  clearTimeout(timer)
  let next = Infinity
  for (const [animation, at] of arrivals) {
    if (hasArrived(animation)) animation.cancel()
    else next = Math.min(next, at)
  }
  if (next < Infinity) timer = window.setTimeout(removeArrived, next - performance.now() + REST_MS)
}

const hasArrived = (animation: Animation) => (arrivals.get(animation) ?? Infinity) <= performance.now() + LAST_MS

/** Sets an element's style at once, without animation. */
export function setStyle(element: HTMLElement | SVGElement, frame: Frame) {
  running.get(element)?.animation.cancel()
  running.delete(element)
  applyFinal(element, frame)
}

function applyFinal(element: HTMLElement | SVGElement, frame: Frame) {
  if (frame.transform !== undefined) element.style.transform = frame.transform
  if (frame.opacity !== undefined) element.style.opacity = String(frame.opacity)
}

/** Stops a running animation; returns the element's current style. */
function halt(element: HTMLElement | SVGElement): Frame {
  const motion = running.get(element)
  if (motion?.animation.playState === 'running' && !hasArrived(motion.animation) && element.isConnected) {
    // Not by `commitStyles`: WebKit takes it for a style attribute, which the page's security policy forbids.
    const { transform, opacity } = getComputedStyle(element)
    const now: Frame = { transform, opacity: Number(opacity) }
    if (motion.last.transform === undefined) delete now.transform
    if (motion.last.opacity === undefined) delete now.opacity
    applyFinal(element, now)
  }
  running.delete(element)
  motion?.animation.cancel()
  return { transform: element.style.transform || 'none', opacity: Number(element.style.opacity || 1) }
}
