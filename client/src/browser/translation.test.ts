// Names and codes are never translated: the elements that show them say so.
import { expect, test } from 'vitest'

const sources = import.meta.glob<string>('../**/*.svelte', { query: '?raw', import: 'default', eager: true })

/** The opening tags of a component's elements, with the text that follows each. */
function elements(source: string): string[] {
  const template = source.replace(/<(script|style|svelte:head)[\s\S]*?<\/\1>/g, '')
  return [...template.matchAll(/<[a-z][^<]*?(?:=>[^<]*?)*>[^<]*/g)].map(([element]) => element)
}

test.each(Object.entries(sources))('names and codes in %s are not translated', (_, source) => {
  for (const element of elements(source)) {
    const shows = / dir="auto"|>[^<]*\{(t\.\w+\()?(shownCode|formatRoomCode)\(/.test(element)
    if (shows && !/^<(input|textarea)/.test(element)) expect(element).toContain('translate="no"')
  }
})
