// JSON Schema (2020-12, or the draft that `$schema` names) through ajv, loaded when the first schema is compiled; patterns in schemas run in linear time.
import { createRequire } from 'node:module'
import { show } from '../base/text.js'
import { isRecord } from '../base/record.js'
import { messageOf } from '../base/message-of.js'
import { compilePattern } from '../base/regex.js'
import { suggest } from '../base/suggest.js'

/** What is wrong with a value, one message each; empty = valid. */
export type ValidateSchema = (value: unknown) => string[]

/** A schema that may well be one, but cannot be used here: in another draft, or with parts on the web. */
export class UnusableSchema extends Error {}

/**
 * Throws if the document is not a schema. The same schema in many cases is compiled once. `foreign`: a program wrote it, so
 * keywords, formats and patterns that are not known are none of an author's mistakes.
 */
export function compileSchema(document: unknown, { foreign = false }: { foreign?: boolean } = {}): ValidateSchema {
  const key = `${foreign ? 'foreign ' : ''}${JSON.stringify(document)}`
  const known = compiled.get(key)
  if (known) return known
  if (typeof document !== 'boolean' && !isRecord(document)) {
    throw new Error('a schema is an object, true or false')
  }
  if (!foreign) refuseNearMisses(document)
  const { addFormats } = loadAjv()
  const { id, load } = dialectOf(document)
  const Dialect = load()
  // A fresh instance each: two schemas with one $id must not collide.
  const instance = new Dialect({
    allErrors: true,
    ...(foreign && { strict: false }),
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    // What is not known is reported when a case is loaded, by `uncheckedFormats`.
    formats: Object.fromEntries(uncheckedFormats(document).map((name) => [name, true])),
    logger: false,
    code: { regExp: Object.assign(foreign ? lenientPattern : linearPattern, { code: 'linearPattern' }) },
  })
  addFormats(instance)
  // The schema of schemas asks it about patterns.
  if (foreign) instance.addFormat('regex', isPattern)
  const check = compileWith(instance, isRecord(document) ? { ...document, $schema: id } : document)
  const validate: ValidateSchema = (value) =>
    check(value) ? [] : (check.errors ?? []).slice(0, 5).map((error) => describe(error))
  if (compiled.size >= 100) compiled.clear()
  compiled.set(key, validate)
  return validate
}

function compileWith(instance: import('ajv').Ajv, document: import('ajv').AnySchema): import('ajv').ValidateFunction {
  try {
    return instance.compile(document)
  } catch (error) {
    if (/can't resolve reference https?:/.test(messageOf(error))) throw new UnusableSchema(messageOf(error))
    if (error instanceof RangeError) throw new Error('it is too large to be compiled here', { cause: error })
    throw error
  }
}

/** The formats that a schema names and that nothing is known about: any text passes them. */
export function uncheckedFormats(document: unknown): string[] {
  return textsAt('format', document).filter((name) => !isKnownFormat(name))
}

/** The patterns of a foreign schema that cannot be checked: any text passes them. */
export function uncheckedPatterns(document: unknown): string[] {
  return textsAt('pattern', document).filter((source) => lenientPattern(source) === ANYTHING)
}

function textsAt(keyword: string, document: unknown): string[] {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look)
    if (!isRecord(value)) return
    const text = value[keyword]
    if (typeof text === 'string') found.add(text)
    for (const [key, item] of Object.entries(value)) if (!DATA.has(key)) look(item)
  }
  look(document)
  return [...found]
}

/** Keywords whose values are data, in which `format` is a name like any other. */
const DATA = new Set(['const', 'enum', 'default', 'examples'])

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

interface Dialect {
  /** What its `$schema` contains. */
  name: string
  id: string
  load(): typeof import('ajv').Ajv
}

const requireAjv = createRequire(import.meta.url)

/** The first is meant where a schema names none. Draft 7 only adds to draft 6. */
const DIALECTS: [Dialect, ...Dialect[]] = [
  {
    name: '2020-12',
    id: 'https://json-schema.org/draft/2020-12/schema',
    load: () => (requireAjv('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')).Ajv2020,
  },
  {
    name: '2019-09',
    id: 'https://json-schema.org/draft/2019-09/schema',
    load: () => (requireAjv('ajv/dist/2019.js') as typeof import('ajv/dist/2019.js')).Ajv2019,
  },
  ...['draft-07', 'draft-06'].map((name) => ({
    name,
    id: 'http://json-schema.org/draft-07/schema#',
    load: () => (requireAjv('ajv') as typeof import('ajv')).Ajv,
  })),
]

const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/)?([^/]+)\/schema#?$/

function dialectOf(document: unknown): Dialect {
  const named = isRecord(document) ? document['$schema'] : undefined
  if (named === undefined) return DIALECTS[0]
  const short = typeof named === 'string' ? DIALECT.exec(named)?.[1] : undefined
  const found = DIALECTS.find(({ name }) => name === short)
  if (found) return found
  const known = DIALECTS.map(({ name }) => name).join(', ')
  throw new UnusableSchema(`$schema names ${show(named)}, which is not known; known: ${known}`)
}

interface Library {
  addFormats: import('ajv-formats').FormatsPlugin
  formatNames: string[]
}

const compiled = new Map<string, ValidateSchema>()
let library: Library | undefined

function loadAjv(): Library {
  if (!library) {
    const { default: addFormats } = requireAjv('ajv-formats') as { default: Library['addFormats'] }
    const { formatNames } = requireAjv('ajv-formats/dist/formats.js') as { formatNames: string[] }
    library = { addFormats, formatNames }
  }
  return library
}

/** The library distinguishes patterns by their text. */
function linearPattern(source: string): { test(text: string): boolean; toString(): string } {
  const pattern = compilePattern(source)
  return { test: (text) => pattern.test(text), toString: () => source }
}

const ANYTHING = { test: () => true }

/** What only the engine of JavaScript takes, such as look-around, is not checked: it can take forever. */
function lenientPattern(source: string): { test(text: string): boolean } {
  try {
    return linearPattern(source)
  } catch (error) {
    if (!isPattern(source)) throw error
    return ANYTHING
  }
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp
  } catch {
    return false
  }
}

function describe(error: import('ajv').ErrorObject): string {
  const place =
    error.instancePath === '' ? '$' : `$${error.instancePath.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.')}`
  const detail = error.params['additionalProperty'] ?? error.params['allowedValues'] ?? error.params['allowedValue']
  return `${place} ${error.message ?? 'is invalid'}${detail === undefined ? '' : ` (${show(detail)})`}`
}
