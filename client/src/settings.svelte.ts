// This browser's settings. They are stored here and sent to nobody.
import type { Language } from './i18n/language'

import type { Appearance, NewRoom } from './wire'

type Strength = NonNullable<NewRoom['strength']>

const KEY = 'ratscrew:settings'

const defaults = {
  name: '',
  appearance: { hue: 1, shape: 'palm' } as Appearance, // how my hand looks
  bots: 3,
  strength: 'steady' as Strength,
  house: '1;classic',
  sound: true,
  volume: 70, // of 100
  vibration: true,
  fourColours: true,
  leftHanded: false,
  language: 'auto' as 'auto' | Language,
  hints: true,
  aloud: 'matters' as 'all' | 'matters',
}

function read(): typeof defaults {
  try {
    const { guise, ...kept } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { guise?: Appearance } // the key before 2026
    return { ...defaults, ...(guise && { appearance: guise }), ...kept }
  } catch {
    return { ...defaults }
  }
}

export const settings = $state(read())

export function saveSettings() {
  localStorage.setItem(KEY, JSON.stringify(settings))
}

/** Changes the language: reloads the page; seats at a table are kept. */
export function chooseLanguage(language: Language | 'auto') {
  settings.language = language
  saveSettings()
  location.reload()
}
