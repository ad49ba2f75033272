// Touch, mouse and keyboard input: slaps and turned cards. Listeners are on the element itself and act at once: the
// message is sent before anything is drawn.
import { unlockAudio } from '../browser/audio'

type Act = (event: Event, fingers: number) => void

const PALM_MS = 150 // the fingers of one palm come down within this time
const FORGET_MS = 700 // after this a finger without a pointerup counts as lifted

/**
 * An attachment: the element acts as soon as it is touched; a palm with several fingers is one press. With `counts` it
 * counts the fingers: it acts at the first, without delay, and again for each that follows at once.
 */
export function pressable(act: Act, counts: () => boolean = () => false) {
  return (zone: HTMLElement) => {
    let finger: number | null = null
    let downAt = -Infinity
    let touched = false
    let uncounted: PointerEvent | null = null
    let fingers = 0
    const down = (event: PointerEvent) => {
      if (event.pointerType === 'mouse' && event.button !== 0) return
      const resting = finger !== null && event.timeStamp - downAt < FORGET_MS
      if (resting) return
      if (event.pointerType === 'touch' && counts())
        uncounted = event // `touchstart` follows at once
      else act(event, 1)
      touched = true
      finger = event.pointerId
      downAt = event.timeStamp
      zone.classList.add('pressed')
      unlockAudio()
    }
    const count = (event: TouchEvent) => {
      const now = Math.min(5, event.targetTouches.length)
      const more = now > fingers && event.timeStamp - downAt < PALM_MS
      if (uncounted) act(uncounted, now)
      else if (finger !== null && counts() && more) act(event, now)
      fingers = now
      uncounted = null
    }
    const up = (event: PointerEvent) => {
      if (event.pointerId !== finger) return
      finger = null
      zone.classList.remove('pressed')
      unlockAudio()
      setTimeout(() => (touched = false), 100)
    }
    // Assistive technology and the Enter key click without a touch; a click after a touch is the same press.
    const click = (event: MouseEvent) => {
      if (!touched && event.isTrusted) act(event, 1)
      unlockAudio()
    }
    const stay = (event: Event) => event.preventDefault() // a tap leaves the focus where it is, and a finger that rests opens no menu
    zone.addEventListener('pointerdown', down)
    zone.addEventListener('touchstart', count, { passive: true })
    zone.addEventListener('mousedown', stay)
    zone.addEventListener('contextmenu', stay)
    zone.addEventListener('click', click)
    addEventListener('pointerup', up)
    addEventListener('pointercancel', up)
    return () => {
      zone.removeEventListener('pointerdown', down)
      zone.removeEventListener('touchstart', count)
      zone.removeEventListener('mousedown', stay)
      zone.removeEventListener('contextmenu', stay)
      zone.removeEventListener('click', click)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', up)
    }
  }
}

/** An attachment: a pointer that rests on the element for `after()` milliseconds hovers; at 0 or less it never does. */
export function hoverable(after: () => number, hover: (on: boolean) => void) {
  return (zone: HTMLElement) => {
    let timer = 0
    let hovering = false
    const wait = () => {
      clearTimeout(timer)
      if (after() > 0) timer = window.setTimeout(() => hover((hovering = true)), after())
    }
    const leave = () => {
      clearTimeout(timer)
      if (hovering) hover((hovering = false))
    }
    zone.addEventListener('pointerenter', wait)
    zone.addEventListener('pointerdown', wait) // a slap; a hand that stays there starts to hover again
    zone.addEventListener('pointerleave', leave)
    zone.addEventListener('pointercancel', leave)
    return () => {
      leave()
      zone.removeEventListener('pointerenter', wait)
      zone.removeEventListener('pointerdown', wait)
      zone.removeEventListener('pointerleave', leave)
      zone.removeEventListener('pointercancel', leave)
    }
  }
}

/** Listens to keys wherever the focus is: Space slaps, F turns a card, `more` handles the others. Space does not also click
 * a focused button. */
export function bindKeys(may: () => boolean, slap: Act, play: Act, more: (code: string) => boolean): () => void {
  const down = (event: KeyboardEvent) => {
    if (!may() || event.ctrlKey || event.metaKey || event.altKey || !event.isTrusted) return
    if (event.code !== 'Space' && event.code !== 'KeyF') {
      if (!event.repeat && !(event.target instanceof HTMLInputElement) && more(event.code)) event.preventDefault()
      return
    }
    event.preventDefault()
    if (event.repeat) return
    if (event.code === 'Space') slap(event, 1)
    else play(event, 1)
    unlockAudio()
  }
  const up = (event: KeyboardEvent) => {
    if (event.code === 'Space' && may()) event.preventDefault()
  }
  addEventListener('keydown', down, { capture: true })
  addEventListener('keyup', up, { capture: true })
  return () => {
    removeEventListener('keydown', down, { capture: true })
    removeEventListener('keyup', up, { capture: true })
  }
}
