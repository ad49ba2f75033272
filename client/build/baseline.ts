// The oldest browsers that the page is built for; README names them. Televisions of 2022 are the oldest: Tizen 6.5 has
// Chromium 85. What they lack is in src/polyfills.ts, or has a fallback in the styles.
import { parse, type Node } from 'acorn'
import type { Plugin } from 'vite'

export const BROWSERS = ['chrome85', 'firefox92', 'safari15']

/** Of this edition, they know all syntax but what `isNewer` finds. */
export const ECMASCRIPT = 2022

/** Static blocks came with Chromium 94, `#field in object` with 91, `await` outside of functions with 89, the flags `d` and
    `v` of patterns with 90 and 112. */
function isNewer(
  node: Node & { await?: boolean; left?: Node; regex?: { flags: string } },
  inFunction: boolean,
): boolean {
  const awaits = node.type === 'AwaitExpression' || node.await === true
  return (
    (awaits && !inFunction) ||
    node.type === 'StaticBlock' ||
    node.left?.type === 'PrivateIdentifier' ||
    /[dv]/.test(node.regex?.flags ?? '')
  )
}

/** What a script has that is newer than the baseline; null if it has nothing. */
export function newerSyntax(script: string): string | null {
  let found: Node | null = null
  const visit = (node: unknown, inFunction: boolean) => {
    if (typeof node !== 'object' || node === null) return
    const { type } = node as Partial<Node>
    if (type && isNewer(node as Node, inFunction)) found = node as Node
    for (const part of Object.values(node)) visit(part, inFunction || Boolean(type?.includes('Function')))
  }
  try {
    visit(parse(script, { ecmaVersion: ECMASCRIPT, sourceType: 'module' }), false)
  } catch (error) {
    return String(error)
  }
  return found && script.slice((found as Node).start, (found as Node).end).slice(0, 80)
}

/** Fails a build whose scripts the oldest browsers cannot read. */
export function baseline(): Plugin {
  return {
    name: 'baseline',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const part of Object.values(bundle)) {
          const found = part.type === 'chunk' && newerSyntax(part.code)
          if (found) this.error(`${part.fileName} has syntax that ${BROWSERS.join(' or ')} does not know: ${found}`)
        }
      },
    },
  }
}
