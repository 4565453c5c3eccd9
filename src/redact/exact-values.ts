// The secrets we know by value: from the environment and from connectors, in every spelling they may turn up in.
import { CUT_MARK, edgesOf, hideCut } from './cut-values.js'
import { secretVariables, type Environment } from './secret-variables.js'

/** Shorter values are part of too much else. */
const MIN_LENGTH = 4
/** Below this, a value is hidden only where it stands alone: `1234` is part of many a number. */
const MIN_ANYWHERE = 8

/** Words people write; hiding them would hide evidence and protect nothing. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'password passwords changeme undefined disabled required optional localhost production development anonymous ' +
    'username testtest example1 password1 passw0rd 12345678 123456789 1234567890 administrator enabled-by-default ' +
    'postgres basic-auth bearer-token test-token test-key test-secret test-password dummy-key fake-key not-needed ' +
    // What local servers take as a key, and what switches something on or off.
    'true false null none auto test tests testing dummy fake mock empty local ollama lm-studio lmstudio nokey no-key unused ' +
    'hello world root admin user guest pass secret token default example enabled basic bearer staging main 0000 1234 12345 123456'
  ).split(' '),
)

/** `test-key` is a key if someone says so. */
const COMMON_WORDS: ReadonlySet<string> = new Set([...COMMON].filter((word) => /^(?:[a-z]+|[0-9]+)$/.test(word)))

export interface ExactValuesInit {
  env: Environment
  /** Hidden whatever they look like: someone has named them as keys. */
  extraValues?: readonly string[]
  /** Names of variables whose values may look random. */
  allow?: readonly string[]
}

/** The values of variables that must not be written. */
export function secretValues(env: Environment): string[] {
  return secretVariables(env).map(({ value }) => value)
}

/** A variable whose value was hidden. */
export interface HiddenVariable {
  name: string
  /** Nothing but its look gave it away. */
  byLook: boolean
}

export class ExactValues {
  /** What a text must contain for one of the values to be in it. */
  readonly anchors: readonly string[]
  /** Longest first. */
  readonly #anywhere: string[]
  readonly #pattern: RegExp | undefined
  readonly #alone: RegExp | undefined
  /** By spelling, what holds the value. */
  readonly #owners = new Map<string, HiddenVariable>()
  readonly #hidden = new Map<string, HiddenVariable>()

  constructor({ env, extraValues = [], allow = [] }: ExactValuesInit) {
    const anywhere = new Set<string>()
    const alone = new Set<string>()
    const add = (given: string, owner: HiddenVariable | undefined, least: number, common = COMMON): void => {
      const value = given.trim()
      if (value.length < least || common.has(value.toLowerCase())) return
      const spellings = value.length < MIN_ANYWHERE ? shortSpellings(value) : longSpellings(value)
      for (const spelling of spellings) {
        if (owner && !this.#owners.has(spelling)) this.#owners.set(spelling, owner)
        ;(value.length < MIN_ANYWHERE ? alone : anywhere).add(spelling)
      }
    }
    for (const value of extraValues) {
      const name = Object.keys(env).find((each) => env[each]?.trim() === value.trim())
      add(value, name === undefined ? undefined : { name, byLook: false }, MIN_LENGTH, COMMON_WORDS)
    }
    for (const { name, value, isNamed, byLook = false } of secretVariables(env, allow))
      add(value, { name, byLook }, isNamed ? MIN_LENGTH : MIN_ANYWHERE)
    this.#anywhere = longestFirst(anywhere)
    this.#pattern = patternOf(this.#anywhere, (values) => values)
    this.#alone = patternOf(longestFirst(alone), (values) => `(?<![A-Za-z0-9])(?:${values})(?![A-Za-z0-9])`)
    this.anchors = [
      ...this.#anywhere.flatMap((value) => [anchorOf(value), ...edgesOf(value)]),
      ...[...alone].map(anchorOf),
    ]
  }

  /** `short`: whether the values that are hidden only where they stand alone are looked for. */
  hide(text: string, { short = true } = {}): string {
    let result = text
    if (this.#pattern) result = result.replace(this.#pattern, this.#found)
    if (short && this.#alone) result = result.replace(this.#alone, this.#found)
    return result.includes(CUT_MARK) ? hideCut(result, this.#anywhere) : result
  }

  /** Whose values have been hidden until now. */
  hidden(): HiddenVariable[] {
    return [...this.#hidden.values()]
  }

  readonly #found = (spelling: string): string => {
    const owner = this.#owners.get(spelling)
    if (owner) this.#hidden.set(owner.name, owner)
    return '[SECRET]'
  }
}

function longestFirst(values: ReadonlySet<string>): string[] {
  return [...values].toSorted((a, b) => b.length - a.length)
}

function patternOf(values: readonly string[], around: (values: string) => string): RegExp | undefined {
  return values.length > 0 ? new RegExp(around(values.map(escapeRegExp).join('|')), 'g') : undefined
}

/** A part of the value that looks the same however often it is escaped. */
function anchorOf(spelling: string): string {
  // oxlint-disable-next-line no-control-regex
  const runs = spelling.match(/[^"\\\u0000-\u001f]+/g) ?? []
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return (longest.length >= 3 ? longest : spelling).slice(0, 12)
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

function shortSpellings(value: string): Set<string> {
  return new Set([value, escaped(value), escaped(escaped(value)), ...urlSpellings(value)])
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function longSpellings(value: string): Set<string> {
  const into = new Set<string>()
  const lines = value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.length >= 16) : []
  for (const text of [value, ...lines]) {
    for (const spelling of shortSpellings(text)) into.add(spelling)
    for (const base64 of base64Spellings(text)) into.add(base64)
    for (const entities of entitySpellings(text)) into.add(entities)
    const hex = Buffer.from(text).toString('hex')
    into.add(hex)
    into.add(hex.toUpperCase())
    // In single quotes, as shells want it.
    into.add(text.replaceAll("'", String.raw`'\''`))
  }
  return into
}

function urlSpellings(text: string): string[] {
  const url = encodeURIComponent(Buffer.from(text).toString())
  const strict = url.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return [url, strict].flatMap((one) => [
    one,
    one.replace(/%20/g, '+'),
    one.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    encodeURIComponent(one),
  ])
}

/** As HTML and XML write it. */
function entitySpellings(text: string): string[] {
  const spell = (quote: string, apostrophe: string): string =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', quote)
      .replaceAll("'", apostrophe)
  return ['"', '&quot;', '&#34;'].flatMap((quote) =>
    ["'", '&#39;', '&#x27;', '&apos;'].map((apostrophe) => spell(quote, apostrophe)),
  )
}

/** The value alone, and the part of it that does not change inside a longer encoded text, for each of three offsets. */
function base64Spellings(text: string): string[] {
  const result: string[] = []
  for (const encoding of ['base64', 'base64url'] as const) {
    const whole = Buffer.from(text).toString(encoding)
    result.push(whole, whole.replace(/=+$/, ''))
    for (const offset of [0, 1, 2]) {
      const shifted = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
      const end = Math.floor(shifted.length / 3) * 4
      const inner = shifted.toString(encoding).slice(offset === 0 ? 0 : 4, end)
      if (inner.length >= MIN_ANYWHERE) result.push(inner)
    }
  }
  return result
}
