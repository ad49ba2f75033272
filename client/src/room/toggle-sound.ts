// Switches the sound on and off, and stores it.
import { saveSettings, settings } from '../settings.svelte'

export function toggleSound() {
  settings.sound = !settings.sound
  saveSettings()
}
