// Animates one element. Does not depend on what is moved.
// The final style is set at once and the animation plays on top of it: nothing is held by `fill`, so no animations pile
// up on cards that stay long. Keyframes carry their own easing, because an easing over the whole would shift their
// offsets.

export const OUT = 'cubic-bezier(.2,.7,.2,1)'
export const THROW = 'cubic-bezier(.3,.5,.4,1)'
export const SETTLE = 'cubic-bezier(.2,1.4,.4,1)'

const query = matchMedia('(prefers-reduced-motion: reduce)')

/** Whether the user prefers reduced motion. */
export const prefersReducedMotion = () => query.matches

/** A duration, or 1 ms with reduced motion. */
export const motionMs = (ms: number) => (prefersReducedMotion() ? 1 : ms)

export interface Frame {
  transform?: string
  opacity?: number
  offset?: number
  easing?: string
}

const running = new WeakMap<Element, { animation: Animation; last: Frame }>()

/** Animates from the current position; resolves when it has arrived, or when another animation took over. */
export function animateTo(element: HTMLElement | SVGElement, frames: Frame[], ms: number, delay = 0): Promise<void> {
  const last = frames[frames.length - 1]!
  const start: Frame = { offset: 0, easing: frames[0]?.easing ?? OUT, ...halt(element) }
  if (last.transform === undefined) delete start.transform
  if (last.opacity === undefined) delete start.opacity
  applyFinal(element, last)
  const all = frames[0]?.offset === 0 ? frames : [start, ...frames]
  const animation = element.animate(all as Keyframe[], { duration: motionMs(ms), delay: motionMs(delay), fill: 'backwards' })
  running.set(element, { animation, last })
  return animation.finished.then(
    () => undefined,
    () => undefined,
  )
}

/** Sets an element's style at once, without animation. */
export function setStyle(element: HTMLElement | SVGElement, frame: Frame) {
  halt(element)
  applyFinal(element, frame)
}

function applyFinal(element: HTMLElement | SVGElement, frame: Frame) {
  if (frame.transform !== undefined) element.style.transform = frame.transform
  if (frame.opacity !== undefined) element.style.opacity = String(frame.opacity)
}

/** Stops a running animation; returns the element's current style. */
function halt(element: HTMLElement | SVGElement): Frame {
  const motion = running.get(element)
  if (motion && motion.animation.playState !== 'finished' && element.isConnected) {
    // Not by `commitStyles`: WebKit takes it for a style attribute, which the page's security policy forbids.
    const { transform, opacity } = getComputedStyle(element)
    const now: Frame = { transform, opacity: Number(opacity) }
    if (motion.last.transform === undefined) delete now.transform
    if (motion.last.opacity === undefined) delete now.opacity
    motion.animation.cancel()
    applyFinal(element, now)
  }
  running.delete(element)
  return { transform: element.style.transform || 'none', opacity: Number(element.style.opacity || 1) }
}
