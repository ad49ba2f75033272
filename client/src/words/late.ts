// All the words, for whatever is fetched later than the first page: `en?late` is a piece of its own, made from the same file.
import { language, words as first } from '../words'
import type { Words } from './en'
import { late } from './en?late'

/** The words of the page's language; any but English is here as a whole already. */
export const words: Words = language === 'en' ? { ...first, ...late } : (first as Words)
