// To the client all is one page. To the browser the start and a table are pages of their own, which name all that they
// need, so that nothing waits for one script to ask for the next. `index.html` is served for everything else.
import type { Plugin, Rolldown } from 'vite'

const FIRST = { 'start.html': 'src/start/StartPage.svelte', 'room.html': 'src/room/RoomPage.svelte' }

export function firstPages(): Plugin {
  return {
    name: 'first-pages',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('no index.html to begin with')
        const html = String(page.source)
        for (const [fileName, component] of Object.entries(FIRST)) {
          const missing = needed(bundle, component).filter(({ file }) => !html.includes(file))
          const links = missing.map(({ rel, file }) => `  <link rel="${rel}" crossorigin href="/${file}">\n  `)
          this.emitFile({ type: 'asset', fileName, source: html.replace('</head>', `${links.join('')}</head>`) })
        }
      },
    },
  }
}

/** The chunk of a component and whatever that imports; styles first. */
function needed(bundle: Rolldown.OutputBundle, component: string): { rel: string; file: string }[] {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const add = (name: string) => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk' || scripts.has(name)) return
    scripts.add(name)
    chunk.viteMetadata?.importedCss.forEach((file) => styles.add(file))
    chunk.imports.forEach(add)
  }
  const first = Object.values(bundle).find((part) => part.type === 'chunk' && part.facadeModuleId?.endsWith(component))
  if (!first) throw new Error(`${component} is in no chunk of its own`)
  add(first.fileName)
  return [...[...styles].map((file) => ({ rel: 'stylesheet', file })), ...[...scripts].map((file) => ({ rel: 'modulepreload', file }))]
}
