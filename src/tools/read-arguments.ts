// Parameters of a tool as flags of a command line: `--workspace-id w1 --limit 10 --fixtures '{…}'`.
import { parseJson } from '../base/json/parse-json.js'
import { UserError } from '../errors.js'
import type { Tool } from './define-tool.js'

interface Shape {
  type: string
  entries?: Record<string, Shape>
  wrapped?: Shape
}

/** Wrong values show when the tool checks its arguments. */
export function readArguments({ name, input }: Pick<Tool, 'name' | 'input'>, words: readonly string[]): object {
  const { entries = {} } = input as unknown as Shape
  const given = new Map<string, unknown>()
  for (let index = 0; index < words.length; index += 1) {
    const match = /^--([a-z][a-z0-9_-]*)(?:=([\s\S]*))?$/.exec(words[index] ?? '')
    const key = match?.[1]?.replaceAll('-', '_')
    if (key === undefined) throw notAFlag(name, words[index] ?? '')
    if (given.has(key)) throw twice(key)
    const type = Object.hasOwn(entries, key) ? typeOf(entries[key]) : 'string'
    const next = words[index + 1]
    if (match?.[2] !== undefined) given.set(key, valueOf(match[2], type))
    else if (type === 'boolean' && (next === undefined || next.startsWith('--'))) given.set(key, true)
    else if (next === undefined) throw noValue(key)
    else {
      given.set(key, valueOf(next, type))
      index += 1
    }
  }
  return Object.fromEntries(given)
}

function typeOf(shape: Shape | undefined): string {
  return shape?.wrapped ? typeOf(shape.wrapped) : (shape?.type ?? 'string')
}

function valueOf(text: string, type: string): unknown {
  if (type === 'string' || type === 'picklist') return text
  const json = parseJson(text)
  return json ? json.value : text
}

function notAFlag(tool: string, word: string): UserError {
  return new UserError({
    code: 'BAD_USAGE',
    message: `expected a parameter of ${tool}, found "${word}"`,
    hint: 'flags have the names of the parameters, e.g. --workspace-id w1',
  })
}

function twice(key: string): UserError {
  return new UserError({ code: 'BAD_USAGE', message: `${key} is given twice`, hint: 'give it once' })
}

function noValue(key: string): UserError {
  return new UserError({
    code: 'BAD_USAGE',
    message: `${key} has no value`,
    hint: `--${key.replaceAll('_', '-')} <value>`,
  })
}
