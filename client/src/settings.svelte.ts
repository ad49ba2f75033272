// This browser's settings. They are stored here and sent to nobody.
import { local } from './browser/storage'
import { fieldsOf, isKeyOf, isListOf, isObject, isOneOf, isShape, isText, isWhole, parsed } from './browser/stored'
import type { Language } from './i18n/language'
import type { Appearance, NewRoom } from './wire'

type Strength = NonNullable<NewRoom['strength']>

const KEY = 'ratscrew:settings'
const STRENGTHS: Record<Strength, 1> = {
  gentle: 1,
  steady: 1,
  sharp: 1,
  bes: 1,
  hapi: 1,
  khonsu: 1,
  min: 1,
  osiris: 1,
  ra: 1,
  sekhmet: 1,
  seshat: 1,
  sobek: 1,
  taweret: 1,
}
const SHAPES: Record<Appearance['shape'], 1> = { palm: 1, paw: 1, wing: 1, claw: 1, leaf: 1, glove: 1 }
const MAX_NAME = 64 // more than any name has
const MAX_LINK = 4096 // more than any house has

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

/** How a hand looks: only as this page can draw it. */
export const isAppearance = isShape<Appearance>({ hue: isWhole(0, 7), shape: isKeyOf(SHAPES) })
export const isStrength = isKeyOf(STRENGTHS)
export const isName = (value: unknown): value is string => isText(value) && value.length <= MAX_NAME

function read(): typeof defaults {
  const kept = parsed(local.get(KEY))
  if (!isObject(kept)) return { ...NEWCOMER }
  return fieldsOf(
    'appearance' in kept ? kept : { ...kept, appearance: kept.guise }, // its name before 2026
    { ...defaults, games: EXPERIENCED },
    {
      name: isName,
      appearance: isAppearance,
      bots: isWhole(1, 7),
      strength: isStrength,
      house: (value): value is string => isText(value) && value.length <= MAX_LINK,
      volume: isWhole(0, 100),
      language: isOneOf('auto', 'en', 'de'),
      aloud: isOneOf('all', 'matters'),
      games: isWhole(0),
      beaten: isListOf(isStrength),
    },
  )
}

export const settings = $state(read())

export function saveSettings() {
  local.set(KEY, JSON.stringify(settings))
}

/** Changes the language: reloads the page; seats at a table are kept. */
export function chooseLanguage(language: Language | 'auto') {
  settings.language = language
  saveSettings()
  location.reload()
}
