// Entry pages: the client is one page, but the start page and a table have HTML files of their own, which preload all that
// they need, so that no script waits for another to import it. `index.html` is served for everything else. Each exists in
// each language, as in `start.de.html`, and preloads its first texts.
import type { Plugin, Rolldown } from 'vite'
import { passedOn } from './direct-imports'

interface EntryPage {
  component?: string
  texts: string[]
}

const ENTRY_PAGES: Record<string, EntryPage> = {
  index: { component: 'src/pages.ts', texts: ['first'] },
  start: { component: 'src/start/StartPage.svelte', texts: ['first', 'start'] },
  room: { component: 'src/room/RoomPage.svelte', texts: ['first', 'room'] },
}
const COMMON = 'en' // for readers of other languages
const CATALOGUE = /i18n\/(\w+)\.ts\?first$/

export function entryPages(): Plugin {
  return {
    name: 'entry-pages',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('no index.html to begin with')
        const html = String(page.source).replaceAll('="./', '="/') // the server puts its path before these
        const languages = Object.values(bundle).flatMap(
          (part) => (part.type === 'chunk' && CATALOGUE.exec(part.facadeModuleId ?? '')?.[1]) || [],
        )
        if (!languages.includes(COMMON)) throw new Error('no catalogue to begin with')
        for (const [name, { component, texts }] of Object.entries(ENTRY_PAGES)) {
          for (const language of languages) {
            const roots = [...(component ? [component] : []), ...texts.map((part) => `i18n/${language}.ts?${part}`)]
            const links = needed(bundle, roots)
              .filter(({ file }) => !html.includes(file))
              .map(({ rel, file }) => `  <link rel="${rel}" crossorigin href="/${file}">\n  `)
            const source = inLanguage(html, language).replace('</head>', `${links.join('')}</head>`)
            this.emitFile({ type: 'asset', fileName: `${name}.${language}.html`, source })
            if (language !== COMMON) continue
            if (name === 'index') page.source = source
            else this.emitFile({ type: 'asset', fileName: `${name}.html`, source })
          }
        }
      },
    },
  }
}

/** The page for readers of a language: what it says without scripts is in that one only. */
export const inLanguage = (html: string, language: string) =>
  html
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace(/ *<p (?:class="[\w-]+" )?lang="(\w+)">.*<\/p>\n/g, (said, its) => (its === language ? said : ''))

/** The chunks of these modules and of all that they import; styles first. */
function needed(bundle: Rolldown.OutputBundle, modules: string[]): { rel: string; file: string }[] {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const add = (name: string) => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk' || scripts.has(name)) return
    if (!passedOn(chunk)) scripts.add(name)
    chunk.viteMetadata?.importedCss.forEach((file) => styles.add(file))
    chunk.imports.forEach(add)
  }
  for (const module of modules) {
    const first = Object.values(bundle).find((part) => part.type === 'chunk' && part.facadeModuleId?.endsWith(module))
    if (!first) throw new Error(`${module} is in no chunk of its own`)
    add(first.fileName)
  }
  return [
    ...[...styles].map((file) => ({ rel: 'stylesheet', file })),
    ...[...scripts].map((file) => ({ rel: 'modulepreload', file })),
  ]
}
