// A linter rule: code uses only those parts of a browser that browser-features.json lists, and optional ones only in the
// files that have a fallback for them.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import ts from 'typescript'

const ROOT = new URL('..', import.meta.url).pathname
const { baseline, optional } = JSON.parse(readFileSync(new URL('../browser-features.json', import.meta.url), 'utf8'))
const USUAL = new Set(baseline)

/** The feature that a name belongs to; null if to none. */
const featureOf = (name) =>
  Object.values(optional).find(({ names }) => names.includes(name) || names.includes(name.split('.')[0])) ?? null

const inDom = (declaration) => /lib\.dom[\w.]*\.d\.ts$/.test(declaration.getSourceFile().fileName)

/** The name of something of the browser, such as `fetch` or `Element.animate`; null if it is not of the browser. */
function nameOf(symbol) {
  const declaration = symbol?.declarations?.find(inDom)
  if (!declaration) return null
  const { parent } = declaration
  return ts.isInterfaceDeclaration(parent) ? `${parent.name.text}.${symbol.name}` : symbol.name
}

export const browserFeatures = {
  meta: {
    type: 'problem',
    messages: {
      optional: '{{name}} is not in every browser: only {{files}} may use it, with a fallback.',
      unknown:
        '{{name}} is not in browser-features.json: add it to `baseline` if each browser that README names has it, else write a module with a fallback and add it to `optional`.',
    },
  },
  create(context) {
    const { parserServices, scopeManager } = context.sourceCode
    const file = relative(ROOT, context.filename)
    if (!parserServices?.program) return {}
    const checker = parserServices.program.getTypeChecker()

    function check(node, found) {
      const typed = parserServices.esTreeNodeToTSNodeMap.get(node)
      const name = found ?? nameOf(typed && checker.getSymbolAtLocation(typed))
      if (!name) return
      const feature = featureOf(name)
      if (feature && !feature.files.includes(file))
        context.report({ node, messageId: 'optional', data: { name, files: feature.files.join(', ') } })
      else if (!feature && name === 'navigator' && Object.values(optional).some(({ files }) => files.includes(file)))
        return
      else if (!feature && !USUAL.has(name) && !USUAL.has(name.split('.')[0]))
        context.report({ node, messageId: 'unknown', data: { name } })
    }

    return {
      MemberExpression(node) {
        if (node.object.type === 'Identifier' && node.object.name === 'Intl') check(node, `Intl.${node.property.name}`)
        else if (!node.computed) check(node.property)
      },
      'Program:exit'() {
        for (const { references } of scopeManager.scopes)
          for (const { identifier, isTypeReference, isValueReference } of references)
            if (isValueReference || !isTypeReference) check(identifier)
      },
    }
  },
}
