// A page in a shared chunk gets a chunk of its own that only passes it on: one more request for each page that is opened.
// Here scripts import the shared chunk itself instead.
import type { Plugin, Rolldown } from 'vite'

const PASSES_ON = /^export\{([^}]+)\}from"\.\/([\w.-]+)";?\s*$/

/** The exports that a chunk passes on, and the chunk that has them; null if it does more than that. */
export function passedOn({ code }: Rolldown.OutputChunk): { names: string[][]; source: string } | null {
  const [, names, source] = PASSES_ON.exec(code) ?? []
  return names && source ? { names: names.split(',').map((name) => name.split(' as ')), source } : null
}

export function directImports(): Plugin {
  return {
    name: 'direct-imports',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((part): part is Rolldown.OutputChunk => part.type === 'chunk')
        for (const chunk of chunks) {
          const passed = passedOn(chunk)
          if (!passed) continue
          const own = chunk.fileName.split('/').at(-1)!
          const exports = passed.names.map(([name, as = name]) => `${as}:e.${name}`).join()
          const asked = new RegExp(`import\\((["'\`])\\./${own.replaceAll('.', '\\.')}\\1\\)`, 'g')
          for (const other of chunks) {
            other.code = other.code.replace(asked, `import("./${passed.source}").then(e=>({${exports}}))`)
            other.code = other.code.replaceAll(own, passed.source) // in the lists of what to preload
          }
        }
      },
    },
  }
}
