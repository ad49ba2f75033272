// How fingers, mice and keys become a slap or a turned card. Handlers are on the element itself and act at once: what
// matters is sent before anything is drawn.
import { wakeSound } from '../sound'

type Act = (event: Event) => void

const FORGET_MS = 700 // a finger whose lifting the page never heard of

/** A zone that slaps as soon as it is touched; a palm with several fingers is one slap. */
export function pressed(act: Act) {
  return (zone: HTMLElement) => {
    let finger: number | null = null
    let downAt = -Infinity
    let touched = false
    const down = (event: PointerEvent) => {
      if (event.pointerType === 'mouse' && event.button !== 0) return
      const resting = finger !== null && event.timeStamp - downAt < FORGET_MS
      if (resting) return
      act(event)
      touched = true
      finger = event.pointerId
      downAt = event.timeStamp
      zone.classList.add('pressed')
      wakeSound()
    }
    const up = (event: PointerEvent) => {
      if (event.pointerId !== finger) return
      finger = null
      zone.classList.remove('pressed')
      setTimeout(() => (touched = false), 100)
    }
    // Helping devices and the Enter key click without a touch; a click that follows a touch is the same press again.
    const click = (event: MouseEvent) => {
      if (!touched && event.isTrusted) act(event)
      wakeSound()
    }
    const stay = (event: Event) => event.preventDefault() // a tap leaves the focus where it is
    zone.addEventListener('pointerdown', down)
    zone.addEventListener('mousedown', stay)
    zone.addEventListener('click', click)
    addEventListener('pointerup', up)
    addEventListener('pointercancel', up)
    return () => {
      zone.removeEventListener('pointerdown', down)
      zone.removeEventListener('mousedown', stay)
      zone.removeEventListener('click', click)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', up)
    }
  }
}

/** Space slaps and F turns a card, whatever has the focus; a focused button is not clicked by Space as well. */
export function keys(may: () => boolean, slap: Act, play: Act): () => void {
  const down = (event: KeyboardEvent) => {
    if (event.code !== 'Space' && event.code !== 'KeyF') return
    if (!may() || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (event.repeat || !event.isTrusted) return
    if (event.code === 'Space') slap(event)
    else play(event)
    wakeSound()
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
