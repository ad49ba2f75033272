// Private fields as properties with another name: the ECMAScript of the baseline has none, and what compilers write
// instead, a WeakMap for each, is larger and slower. TypeScript and Svelte have checked by now that nobody else uses them.
import { parse, type Node } from 'acorn'
import type { Plugin } from 'vite'

const PREFIX = '_$'
/** The names that stand for private ones; nobody outside of their script uses them. */
export const PRIVATE = /^_\$/

/** A module without private names. Short ones stand for them, which no subclass in another module can have by chance. */
export function publicFields(script: string): string {
  const names = new Map<string, string>()
  const found: { start: number; end: number; name: string }[] = []
  const visit = (node: unknown, derived: boolean) => {
    if (typeof node !== 'object' || node === null) return
    const { type, start, end, name, superClass } = node as Node & { name?: string; superClass?: Node | null }
    if (type !== 'PrivateIdentifier') return Object.values(node).forEach((part) => visit(part, superClass === undefined ? derived : superClass !== null))
    const key = `${name} ${derived}`
    if (!names.has(key)) names.set(key, PREFIX + (derived ? name : names.size.toString(36)))
    found.push({ start, end, name: names.get(key)! })
  }
  visit(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }), false)
  if (found.length && script.includes(PREFIX)) throw new Error(`a name with ${PREFIX} stands beside private fields`)
  let [result, done] = ['', 0]
  for (const { start, end, name } of found.sort((a, b) => a.start - b.start)) {
    result += script.slice(done, start) + name
    done = end
  }
  return result + script.slice(done)
}

export function privateFields(): Plugin {
  return {
    name: 'private-fields',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: { exclude: /\.(css|json|svg)($|\?)/ }, code: /[\s.]#[A-Za-z_]/ },
      handler: (script) => ({ code: publicFields(script), map: null }),
    },
  }
}
