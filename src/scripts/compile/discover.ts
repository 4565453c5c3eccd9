// Which functions of a file are tests: those at the top level whose name starts with `Test`, in source order.
import type { ScriptTest } from '../../model/script.js'
import type { ScriptSyntax } from './parse.js'

/** Runs the others; not a test itself. */
const MAIN = 'TestMain'

export function discoverTests(syntax: ScriptSyntax, ref: string): ScriptTest[] {
  return syntax.functions
    .filter(({ name }) => name.startsWith('Test') && name !== MAIN)
    .map(({ name, line }) => ({ id: `${ref}.${name}`, name, line }))
}
