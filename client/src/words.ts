// What people read or hear, in the language of the page. The catalogues are words/en.ts and, of the same shape, the others.
import { en, type First } from './words/en'

const CATALOGUES = {
  en: async () => en,
  de: async () => (await import('./words/de')).de,
}

export type Language = keyof typeof CATALOGUES

/** What each language calls itself. */
export const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** The words of the page's language. It is known before anything is shown: no module may keep a word before that. */
export let words: First = en
export let language: Language = 'en'

/** From now on the page speaks a language; `auto` is the first of the browser's that it knows. */
export async function speak(wanted: Language | 'auto') {
  const tags = wanted === 'auto' ? navigator.languages : [wanted]
  const known = tags.map((tag) => tag.slice(0, 2)).find((code): code is Language => code in CATALOGUES) ?? 'en'
  try {
    words = await CATALOGUES[known]()
    language = known
  } catch {} // a catalogue that cannot be fetched now: English is here
  document.documentElement.lang = language
}
