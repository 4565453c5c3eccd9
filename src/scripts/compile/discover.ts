// Which functions of a file are tests: those at the top level whose name starts with `Test`, in source order.
import type { ScriptTest } from '../../model/script.js'
import { holdsAssertion } from './find-assertions.js'
import type { ScriptSyntax } from './parse.js'

/** Runs the others; not a test itself. */
const MAIN = 'TestMain'

export function discoverTests(syntax: ScriptSyntax, ref: string): ScriptTest[] {
  const functions = new Map(syntax.functions.map(({ name, node }) => [name, node]))
  const afterEach = functions.get('AfterEach')
  const checksEach = afterEach !== undefined && holdsAssertion(afterEach, functions)
  const tests = syntax.functions
    .filter(({ name }) => name.startsWith('Test') && name !== MAIN)
    .map(({ name, line, node }) => {
      const test: ScriptTest = { id: `${ref}.${name}`, name, line }
      if (!checksEach && !holdsAssertion(node, functions)) test.asserts_nothing = true
      return test
    })
  const names = new Set(tests.map(({ name }) => name))
  for (const { name, line } of syntax.buried) {
    const shown = names.has(name) ? `${name}:${line}` : name
    names.add(name)
    tests.push({ id: `${ref}.${shown}`, name: shown, line, buried: true })
  }
  return tests
}
