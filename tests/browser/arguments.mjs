// Prints, as JSON, every text of the catalogues by its path, and the names and types of what a text is made with.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const CLIENT = new URL('../../client/', import.meta.url)
const ts = createRequire(new URL('package.json', CLIENT))('typescript')
const file = ts.createSourceFile('en.ts', readFileSync(new URL('src/i18n/en.ts', CLIENT), 'utf8'), ts.ScriptTarget.Latest, true)

const constants = {}
for (const statement of file.statements.filter(ts.isVariableStatement)) {
  const exported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  for (const { name, initializer } of statement.declarationList.declarations) constants[name.text] = { exported, initializer }
}

const found = {}
function walk(node, path) {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return walk(node.expression, path)
  if (ts.isIdentifier(node)) return walk(constants[node.text].initializer, path)
  if (ts.isObjectLiteralExpression(node)) {
    for (const each of node.properties) walk(each.initializer ?? each.name, path ? `${path}.${each.name.text}` : each.name.text)
  } else if (ts.isArrayLiteralExpression(node)) {
    node.elements.forEach((each, i) => walk(each, `${path}.${i}`))
  } else if (ts.isArrowFunction(node)) {
    found[path] = node.parameters.map(({ name, type }) => [name.getText(), type?.getText() ?? ''])
  } else {
    found[path] = null
  }
}
for (const { exported, initializer } of Object.values(constants)) if (exported) walk(initializer, '')
console.log(JSON.stringify(found))
