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
  streamer: false, // no room's code is on the screen
  aloud: 'matters' as 'all' | 'matters',
  games: 0, // in which I have had a seat, the running one included
  lastGame: '',
  account: false, // this browser keeps its games
  beaten: [] as readonly Strength[], // the opponents on the ladder
}

/** From how many games on all of the table is shown. */
export const EXPERIENCED = 3

/** Someone who has not played here before meets gentle bots. */
const NEWCOMER: typeof defaults = { ...defaults, bots: 2, strength: 'gentle' }

function read(): typeof defaults {
  try {
    const stored = localStorage.getItem(KEY)
    if (!stored) return { ...NEWCOMER }
    const { guise, ...kept } = JSON.parse(stored) as { guise?: Appearance } // the key before 2026
    return { ...defaults, games: EXPERIENCED, ...(guise && { appearance: guise }), ...kept }
  } catch {
    return { ...NEWCOMER }
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
