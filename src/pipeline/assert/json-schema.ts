// JSON Schema 2020-12 through ajv, loaded when the first schema is compiled; patterns in schemas run in linear time.
import { createRequire } from 'node:module'
import { show } from '../../base/text.js'
import { messageOf } from '../../base/message-of.js'
import { isRecord } from '../../base/record.js'
import { compilePattern } from '../../base/regex.js'
import { suggest } from '../../base/suggest.js'
import { SpecError } from './define-assertion.js'

/** What is wrong with a value, one message each; empty = valid. */
export type ValidateSchema = (value: unknown) => string[]

/** Throws if the document is not a schema. The same schema in many cases is compiled once. */
export function compileSchema(document: unknown): ValidateSchema {
  const key = JSON.stringify(document)
  const known = compiled.get(key)
  if (known) return known
  if (typeof document !== 'boolean' && (typeof document !== 'object' || document === null)) {
    throw new Error('a schema is an object, true or false')
  }
  refuseNearMisses(document)
  const { Ajv2020, addFormats } = loadAjv()
  // A fresh instance each: two schemas with one $id must not collide.
  const instance = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    // What is not known is reported when a case is loaded, by `uncheckedFormats`.
    formats: Object.fromEntries(uncheckedFormats(document).map((name) => [name, true])),
    logger: false,
    code: { regExp: Object.assign(linearPattern, { code: 'linearPattern' }) },
  })
  const check = addFormats(instance).compile(document as import('ajv').AnySchema)
  const validate: ValidateSchema = (value) =>
    check(value) ? [] : (check.errors ?? []).slice(0, 5).map((error) => describe(error))
  if (compiled.size >= 100) compiled.clear()
  compiled.set(key, validate)
  return validate
}

/** As `compileSchema`, for what an author has written in `field`. */
export function requireSchema(document: unknown, field: string): ValidateSchema {
  try {
    return compileSchema(document)
  } catch (error) {
    throw new SpecError(field, `is not a usable JSON Schema: ${messageOf(error)}`)
  }
}

/** The formats that a schema names and that nothing is known about: any text passes them. */
export function uncheckedFormats(document: unknown): string[] {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look)
    if (!isRecord(value)) return
    const { format } = value
    if (typeof format === 'string' && !isKnownFormat(format)) found.add(format)
    Object.values(value).forEach(look)
  }
  look(document)
  return [...found]
}

/** `emial` would be checked as nothing; a name that is near none of those known may be an author's own. */
function refuseNearMisses(document: unknown): void {
  const names = uncheckedFormats(document).filter((name) => !OTHER_FORMATS.test(name))
  for (const name of names) {
    const near = suggest(name, loadAjv().formatNames)
    if (near !== undefined) throw new Error(`the format "${name}" is unknown: did you mean "${near}"?`)
  }
}

/** Names of the standard and of common registries that look like ones that are checked. */
const OTHER_FORMATS = /^(?:iri(?:-reference)?|idn-(?:email|hostname)|u?int\d+|hex|half|single)$/

function isKnownFormat(name: string): boolean {
  try {
    return loadAjv().addFormats.get(name as import('ajv-formats').FormatName) !== undefined
  } catch {
    return false
  }
}

interface Library {
  Ajv2020: typeof import('ajv/dist/2020.js').Ajv2020
  addFormats: import('ajv-formats').FormatsPlugin
  formatNames: string[]
}

const compiled = new Map<string, ValidateSchema>()
let library: Library | undefined

function loadAjv(): Library {
  if (!library) {
    const load = createRequire(import.meta.url)
    const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
    const { default: addFormats } = load('ajv-formats') as { default: Library['addFormats'] }
    const { formatNames } = load('ajv-formats/dist/formats.js') as { formatNames: string[] }
    library = { Ajv2020, addFormats, formatNames }
  }
  return library
}

/** The library distinguishes patterns by their text. */
function linearPattern(source: string): { test(text: string): boolean; toString(): string } {
  const pattern = compilePattern(source)
  return { test: (text) => pattern.test(text), toString: () => source }
}

function describe(error: import('ajv').ErrorObject): string {
  const place =
    error.instancePath === '' ? '$' : `$${error.instancePath.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.')}`
  const detail = error.params['additionalProperty'] ?? error.params['allowedValues'] ?? error.params['allowedValue']
  return `${place} ${error.message ?? 'is invalid'}${detail === undefined ? '' : ` (${show(detail)})`}`
}
