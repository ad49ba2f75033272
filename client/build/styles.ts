// What browsers of the baseline do not know of the sources' styles, in words that they do: names of layouts, by
// styles/layouts.css, and Svelte's `:where(.scope)`.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const LAYOUTS = resolve(import.meta.dirname, '../src/styles/layouts.css')
const DEFINED = /@custom-media (--[\w-]+) ([^;]+);/g
const QUERY = /@media ([^{]+)\{/g
const NAME = /\((--[\w-]+)\)/

export type Layouts = ReadonlyMap<string, string>

/** The media queries by their names. */
export const layoutsOf = (css: string): Layouts =>
  new Map([...css.matchAll(DEFINED)].map(([, name, query]) => [name!, query!.trim()]))

/** A media query without names. A name for several queries makes several of the one that it is in. */
export function withoutNames(query: string, layouts: Layouts): string {
  const plain = query.split(',').flatMap((each) => {
    const name = NAME.exec(each)?.[1]
    if (!name) return [each.trim()]
    const meant = layouts.get(name)
    if (!meant) throw new Error(`${name} is no layout: there are ${[...layouts.keys()].join(', ')}`)
    return meant.split(',').map((one) => withoutNames(each.replace(NAME, one.trim()), layouts))
  })
  return plain.join(', ')
}

/** A stylesheet that browsers of the baseline understand. */
export const plainStyles = (css: string, layouts: Layouts): string =>
  css
    .replace(QUERY, (_, query: string) => `@media ${withoutNames(query, layouts)} {`)
    .replace(/:where\((\.S[\w-]+)\)/g, '$1')

export function styles(): Plugin {
  return {
    name: 'styles',
    enforce: 'pre',
    transform: {
      filter: { id: /\.css($|\?)/ },
      handler(css) {
        this.addWatchFile(LAYOUTS)
        return plainStyles(css, layoutsOf(readFileSync(LAYOUTS, 'utf8')))
      },
    },
  }
}
