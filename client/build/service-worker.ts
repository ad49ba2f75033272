// Inserts into the service worker the names of the page's files, and a version that changes with any of them.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const WORKER = 'sw.js'

export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunk = bundle[WORKER]
        if (chunk?.type !== 'chunk') throw new Error('no service worker')
        const made = Object.values(bundle).filter(({ fileName }) => fileName !== WORKER)
        const kept = readdirSync('public').filter((name) => /\.(svg|webmanifest)$/.test(name)) // phones store the other icons themselves
        const contents = [
          ...made.map((part) => (part.type === 'chunk' ? part.code : part.source)),
          ...kept.map((name) => readFileSync(`public/${name}`)),
        ]
        const version = contents
          .reduce((hash, content) => hash.update(content), createHash('sha256'))
          .digest('hex')
          .slice(0, 12)
        const files = [...made.map(({ fileName }) => fileName), ...kept].map((name) => `/${name}`)
        chunk.code = chunk.code
          .replace('__VERSION__', JSON.stringify(version))
          .replace('__FILES__', JSON.stringify(files))
      },
    },
  }
}
