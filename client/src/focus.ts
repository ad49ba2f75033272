// Remembers the focus before a dialog opens, and restores it when the dialog closes.
import { tick } from 'svelte'

let before: EventTarget | null = null

addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && !target.closest('[role=dialog]')) before = target
})

/** To be called when a dialog closes; if another dialog opens at once, that keeps the focus. */
export async function restoreFocus() {
  await tick() // the page is not inert any more
  const lost = document.activeElement === document.body
  if (lost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
}
