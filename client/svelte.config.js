// Svelte configuration: TypeScript in scripts, and short names for the scopes of styles, because hashes do not compress.
import { readdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

const SOURCES = resolve(import.meta.dirname, 'src')
const COMPONENTS = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.svelte'))
  .sort()

/** A scope is named by the place of its file among all of them; a file that is newer than the list, by its hash. The capital
    keeps it apart from the classes of the pages: `sr` would hide what it is on. */
function cssHash({ filename, hash, css }) {
  const place = COMPONENTS.indexOf(relative(SOURCES, resolve(filename)))
  return place < 0 ? `S-${hash(css)}` : `S${place.toString(36)}`
}

export default { preprocess: vitePreprocess(), compilerOptions: { cssHash } }
