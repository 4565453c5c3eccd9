// `x-process-args` of a tool's schema: which parts of the model's arguments go to the process, in which order.
import { isRecord } from '../../../base/record.js'
import { show } from '../../../base/text.js'

/** `:arguments` = all of them, `$args.a.b` or `$a.b` = one field, anything else is a constant. */
export function processArgs(mapping: readonly unknown[], args: unknown): unknown[] {
  if (mapping.length === 0) return [args]
  return mapping.map((spec) => {
    if (typeof spec !== 'string') return spec
    if (spec === ':arguments') return args
    return spec.startsWith('$') ? fieldAt(args, spec.replace(/^\$(?:args\.)?/, '')) : spec
  })
}

/** A missing field is null: optional arguments keep their position. Throws where one is asked of something without fields. */
function fieldAt(args: unknown, path: string): unknown {
  let value = args
  let at = 'the arguments'
  for (const step of path.split('.')) {
    if (!isRecord(value)) throw new Error(`x-process-args asks for ${path}, but ${at} is no object: ${show(value)}`)
    if (!Object.hasOwn(value, step)) return null
    value = value[step]
    at = step
  }
  return value
}
