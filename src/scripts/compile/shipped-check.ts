// The code of the checks that ship with Viva.
import { shippedPath } from '../../files/shipped.js'
import { SHIPPED_PREFIX, shippedCheckOf } from '../../model/shipped-check.js'
import type { FunctionTarget } from './reference.js'

/** The function behind `viva:promptfoo/is-json` in a case; undefined for other references. */
export function shippedFunction(ref: string): FunctionTarget | undefined {
  const [tool] = shippedCheckOf(ref)?.split('/', 1) ?? []
  return tool === undefined ? undefined : { file: shippedPath('templates', 'checks', tool, 'index.ts'), name: 'Check' }
}

const IMPORTED = ['promptfoo/own-check']

/** The file behind `viva:promptfoo/own-check` in a script; undefined if there is none. */
export function shippedModule(specifier: string): string | undefined {
  const name = specifier.slice(SHIPPED_PREFIX.length)
  return IMPORTED.includes(name) ? shippedPath('templates', 'checks', `${name}.ts`) : undefined
}
