// Which JSON Schemas are carried over: those that promptfoo can compile, with formats that mean the same there and here.
import { createRequire } from 'node:module'
import { messageOf } from '../../base/message-of.js'
import { isRecord } from '../../base/record.js'

const FORMATS = 'date time date-time email ipv4 uuid regex float double password binary'.split(' ')

/** The schemas of one import; the same one in many tests is compiled once. */
export class Schemas {
  readonly #known = new Set<string>()

  /** Undefined where there is none. Throws an Error that says why it is left behind. */
  require(value: unknown): unknown {
    if (value === undefined || value === null || value === '') return undefined
    if (!isRecord(value)) throw new Error('expected a JSON Schema')
    const key = JSON.stringify(value)
    if (this.#known.has(key)) return value
    requireCompiled(value)
    this.#known.add(key)
    return value
  }
}

function requireCompiled(schema: Record<string, unknown>): void {
  const formats = Object.fromEntries(FORMATS.map((name) => [name, true as const]))
  const { Ajv } = createRequire(import.meta.url)('ajv') as typeof import('ajv')
  let validate: object
  try {
    validate = new Ajv({ strictSchema: true, logger: false, formats }).compile(schema)
  } catch (error) {
    throw new Error(`the schema is not carried over: ${messageOf(error)}`, { cause: error })
  }
  if ('$async' in validate) throw new Error('an asynchronous schema is not carried over')
}
