// The one redactor: everything that leaves the process for a file, a terminal or another program passes through it.
import { type AnchorScan, createAnchorScan } from './anchors.js'
import { createPathRedaction } from './custom.js'
import { ExactValues, type HiddenVariable } from './exact-values.js'
import { redactJsonText, type JsonRedaction } from './json-text.js'
import { Learned } from './learned.js'
import { isLikelySecret } from './likely-secret.js'
import { listReplacements, Placeholders, replaceAll } from './normalise-text.js'
import type { NormaliserName, TextReplacement } from './normalisers.js'
import { SECRET_RULES } from './rules.js'
import { createRedactionStream, type RedactionStream } from './stream.js'
import { applyRule, hintOf, isForTextOnly } from './apply-rule.js'
import { parseJson } from '../base/json/parse-json.js'
import { pathTexts, type RedactedPath } from '../model/redacted-path.js'

export interface RedactorInit {
  /** Where the values of secret variables are read from; usually `process.env`. */
  env: Record<string, string | undefined>
  /** Further secret values: connector keys, `--pass-env` values. */
  extraValues?: readonly string[]
  /** Names of variables whose values may be shown although they look random. */
  allow?: readonly string[]
  /** `redactions` of the configuration. Built-in names switch normalisers; secrets cannot be switched off. */
  config?: { patterns?: Record<string, string | boolean>; paths?: readonly RedactedPath[] }
  normalisers?: readonly NormaliserName[]
  /** Keys, and the values of fields such as `type`, that patterns leave alone: without them the events could not be read. */
  ownKeys?: ReadonlySet<string> | undefined
  /** The folders that `$PATH` replaces. */
  workspaces?: readonly string[]
  /** If others number the same document. */
  placeholders?: Placeholders
}

export interface Redactor {
  text(text: string): string
  /** The same object when there is nothing to hide, a redacted copy otherwise. */
  value<T>(value: T): T
  /** One line of JSON for the event log. */
  line(event: object): string
  /** The line, and the value the sinks may see: the same object if nothing was redacted. */
  record<T extends object>(event: T): { line: string; value: T }
  /** For text that arrives in pieces: a secret may be split across them. */
  stream(): RedactionStream
  /** The variables whose values have been hidden until now. */
  hidden(): HiddenVariable[]
}

const REDACTION_ERROR = '[REDACTION_ERROR]'

const EXACT = SECRET_RULES.length
const MAX_NESTED_JSON = 16
const MAX_ROUNDS = 8

export function createRedactor(init: RedactorInit): Redactor {
  const exact = new ExactValues(init)
  const engine: Engine = {
    scan: createAnchorScan([...SECRET_RULES.map((rule) => rule.anchors), exact.anchors]),
    exact,
    replacements: listReplacements(init.config?.patterns ?? {}, init),
    placeholders: init.placeholders ?? new Placeholders(),
    ownKeys: init.ownKeys ?? NO_KEYS,
  }
  const paths = init.config?.paths?.length ? createPathRedaction(pathTexts(init.config.paths)) : undefined

  const redactJson = (json: string): string => {
    const result = isClean(engine, json) ? json : redactWhole(engine, json)
    return paths ? JSON.stringify(paths(JSON.parse(result))) : result
  }
  const text = (input: string): string =>
    closed(
      () => {
        const learned = new Learned()
        return learned.hide(redactString(engine, input, 0, learned))
      },
      () => REDACTION_ERROR,
    )

  return {
    text,
    value: <T>(value: T): T =>
      closed<T>(
        () => {
          if (typeof value === 'string') return text(value) as T
          const json = JSON.stringify(value)
          if (json === undefined) return value
          const result = redactJson(json)
          return result === json ? value : (JSON.parse(result) as T)
        },
        () => REDACTION_ERROR as T,
      ),
    line: (event) =>
      closed(
        () => redactJson(JSON.stringify(event)),
        () => errorLine(event, text),
      ),
    record: <T extends object>(event: T) =>
      closed(
        () => {
          const json = JSON.stringify(event)
          const line = redactJson(json)
          return { line, value: line === json ? event : (JSON.parse(line) as T) }
        },
        () => {
          const line = errorLine(event, text)
          return { line, value: JSON.parse(line) as T }
        },
      ),
    stream: () => createRedactionStream(text),
    hidden: () => exact.hidden(),
  }
}

interface Engine {
  scan: AnchorScan
  exact: ExactValues
  replacements: TextReplacement[]
  placeholders: Placeholders
  ownKeys: ReadonlySet<string>
}

/** Runs on every line of every run: one scan, and a closer look only where an anchor was found. */
function isClean(engine: Engine, json: string): boolean {
  if (engine.replacements.length > 0) return false
  const owners = engine.scan.find(json)
  return owners === undefined || !owners.some((owner) => owner === EXACT || hintOf(owner).test(json))
}

/** What one part of an event gives away as a secret is hidden in all of it: messages quote answers out of context. */
function redactWhole(engine: Engine, json: string): string {
  const learned = new Learned()
  const result = redactJsonText(json, jsonRedaction(engine, 0, learned))
  if (learned.isEmpty) return result
  const hide = (text: string): string => learned.hide(text)
  return redactJsonText(result, {
    text: hide,
    key: (name) => name,
    field: (name, text) => (OWN.has(name) ? text : hide(text)),
  })
}

/** What distinguishes results must not depend on the content of one of them. */
const OWN = new Set(['type', 'run_id', 'id', 'status', 'error_kind', 'timestamp', 'file', 'script', 'name'])

function redactString(engine: Engine, text: string, depth: number, learned: Learned, isWord = false): string {
  const owners = engine.scan.find(text)
  if (owners === undefined && engine.replacements.length === 0) return text
  if (depth < MAX_NESTED_JSON && isJson(text)) {
    const inPlace = applySecrets(
      engine,
      text,
      owners?.filter((owner) => !isForTextOnly(owner)),
      learned,
      isWord,
    )
    return redactJsonText(isJson(inPlace) ? inPlace : text, jsonRedaction(engine, depth + 1, learned))
  }
  return replaceAll(applySecrets(engine, text, owners, learned, isWord), engine.replacements, engine.placeholders)
}

/**
 * Until nothing changes: a placeholder can supply the word boundary that the next secret lacked.
 * `isWord`: it is a key or a word of ours, which a short secret may happen to be.
 */
function applySecrets(
  engine: Engine,
  text: string,
  owners: number[] | undefined,
  learned: Learned,
  isWord: boolean,
): string {
  let result = text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = result
    if (owners?.includes(EXACT)) result = engine.exact.hide(result, { short: !isWord })
    for (const owner of owners ?? []) if (owner < EXACT) result = applyRule(owner, result, learned.add)
    if (result === before) break
  }
  return result
}

const NO_KEYS: ReadonlySet<string> = new Set()
/** Fields of events whose values are our own words. */
const WORDS = new Set(['type', 'status', 'error_kind', 'mode', 'input_source', 'lane', 'kind', 'finish_reason'])

function jsonRedaction(engine: Engine, depth: number, learned: Learned): JsonRedaction {
  return {
    text: (text) => redactString(engine, text, depth, learned),
    key: (name) => (engine.ownKeys.has(name) ? name : redactString(engine, name, depth, learned, true)),
    field: (name, text) => {
      if (isLikelySecret(name, text, { field: true })) {
        learned.add(text)
        return '[SECRET]'
      }
      const isWord = WORDS.has(name)
      return isWord && depth === 0 && engine.ownKeys.has(name)
        ? applySecrets(engine, text, engine.scan.find(text), learned, true)
        : redactString(engine, text, depth, learned, isWord)
    },
  }
}

function isJson(text: string): boolean {
  return /^\s*[[{"]/.test(text) && parseJson(text) !== undefined
}

function closed<T>(work: () => T, failed: () => T): T {
  try {
    return work()
  } catch {
    return failed()
  }
}

/** What an event is about, which every reader needs; the rest of its content is not written. */
const KEPT = ['type', 'run_id', 'id', 'run', 'status', 'error_kind', 'duration_ms', 'timestamp'] as const

/** Still an event, so that the file stays readable. */
function errorLine(event: object, hide: (text: string) => string): string {
  const kept: Record<string, unknown> = { type: 'error' }
  for (const key of KEPT) {
    const value = (event as Record<string, unknown>)[key]
    if (typeof value === 'number') kept[key] = value
    else if (typeof value === 'string') kept[key] = hide(value)
  }
  return JSON.stringify({ ...kept, error: REDACTION_ERROR })
}
