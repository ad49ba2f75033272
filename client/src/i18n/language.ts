// Texts in the page's language. The catalogues are en.ts and, of the same shape, the others. Each is split into parts,
// built from its one file, so that no page waits for texts it does not show.
import { browserLanguages } from '../browser/languages'
import type { First, Parts } from './en'

type Catalogue = { [P in keyof Parts]: () => Promise<Parts[P]> }

const CATALOGUES = {
  en: {
    first: async () => (await import('./en?first')).first,
    start: async () => (await import('./en?start')).start,
    room: async () => (await import('./en?room')).room,
    table: async () => (await import('./en?table')).table,
    wait: async () => (await import('./en?wait')).wait,
    late: async () => (await import('./en?late')).late,
  },
  de: {
    first: async () => (await import('./de?first')).first,
    start: async () => (await import('./de?start')).start,
    room: async () => (await import('./de?room')).room,
    table: async () => (await import('./de?table')).table,
    wait: async () => (await import('./de?wait')).wait,
    late: async () => (await import('./de?late')).late,
  },
} satisfies Record<string, Catalogue>

export type Language = keyof typeof CATALOGUES

/** Each language's name in itself. */
export const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** The texts of the page's language. They are loaded before anything is shown; no module may store one before that. */
export const texts = {} as First
export let language: Language = 'en'

/** Sets the page's language; `auto` is the first of the browser's languages that has a catalogue. */
export async function setLanguage(wanted: Language | 'auto') {
  const tags = wanted === 'auto' ? browserLanguages() : [wanted]
  language = tags.map((tag) => tag.slice(0, 2)).find((code): code is Language => code in CATALOGUES) ?? 'en'
  await loadTexts('first').catch(() => {
    language = 'en'
    return loadTexts('first')
  })
  document.documentElement.lang = language
}

/** Loads parts of the catalogue. */
export async function loadTexts(...parts: (keyof Parts)[]) {
  const catalogue: Catalogue = CATALOGUES[language]
  Object.assign(texts, ...(await Promise.all(parts.map((part) => catalogue[part]()))))
}
