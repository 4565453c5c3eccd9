// Whether a call, a result, somebody's word or a file shows what an answer says was done.
import { asText, preview } from '../../base/text.js'
import { isRecord } from '../../base/record.js'
import type { ToolCall } from '../../model/message.js'
import type { Action } from './actions.js'
import { isPath, type Backing } from './back-value.js'
import { callWords, errorOf, isReading, isThought, outcomeOf } from './calls.js'
import { INSTRUCTIONS, type ClaimFiles } from './claim.js'
import type { Ground } from './ground.js'
import type { Language } from './languages/language.js'
import { AkinWords } from './akin-words.js'
import { nameWords, once } from './text.js'
import { TextIndex } from './text-index.js'
import { toldByCall, toldByResult, toldBySomebody } from './told.js'
import { verbsOf } from './verbs.js'

/** Where several things were done ("the upgrade and the cancellation have been completed"), each must be shown. */
export function backAction(action: Action, ground: Ground, files?: ClaimFiles): Backing {
  const backings = meantVerbs(action, ground.language).map((verb) => backVerb(action, verb, ground, files))
  return (
    backings.find(({ verdict }) => verdict === 'contradicted') ??
    backings.find(({ verdict }) => verdict === 'unbacked') ??
    backings[0] ?? { verdict: 'unbacked' }
  )
}

/** "Your cancellation has been processed" is about cancelling. Undefined: about anything. */
function meantVerbs({ verb, heads }: Action, language: Language): Array<string | undefined> {
  if (verb === undefined || !language.lightVerbs.includes(verb)) return [verb]
  const nouns = heads.flatMap((word) =>
    Object.hasOwn(language.actionNouns, word) ? (language.actionNouns[word] ?? []) : [],
  )
  if (nouns.length > 0) return [...new Set(nouns)]
  return [language.verbGroups.some((group) => group.includes(verb)) ? verb : undefined]
}

function backVerb(action: Action, verb: string | undefined, ground: Ground, files: ClaimFiles | undefined): Backing {
  const { language } = ground
  const made = ground.calls.filter((call) => !isThought(call, language))
  const fitting = made.filter((call) => isFitting(action, verb, call, language))
  const done = fitting.filter((call) => outcomeOf(call) === 'ok')
  const file = fileBacking(action, files)
  if (file) return file
  const shown = done.length > 0 ? ofCalls(action, done, fitting, ground) : undefined
  if (shown?.verdict === 'backed') return shown
  const told = action.voice === 'self' ? undefined : toldElsewhere(action, made, ground)
  if (told ?? shown) return told ?? shown ?? NOTHING
  const failed = fitting.find((call) => outcomeOf(call) === 'error')
  if (failed)
    return {
      verdict: 'contradicted',
      evidence: `${failed.name} returned an error: ${preview(errorOf(failed) ?? '', 120)}`,
    }
  const invented = fitting.find((call) => outcomeOf(call) === 'not made')
  if (invented)
    return { verdict: 'contradicted', evidence: `the call of ${invented.name} that the agent reports was not made` }
  const silent = fitting.find((call) => outcomeOf(call) === 'unknown')
  if (silent) return { verdict: 'unbacked', evidence: `${silent.name} was called; what it returned is not reported` }
  return NOTHING
}

const NOTHING: Backing = { verdict: 'unbacked', evidence: 'no call did this' }

/** By the verb in its name or arguments; what changes or runs anything must be about the same thing. */
function isFitting(action: Action, verb: string | undefined, call: ToolCall, language: Language): boolean {
  if (verb !== undefined && language.lookVerbs.includes(verb)) return true
  if (isReading(call, language)) return false
  if (verb === undefined) return true
  const words = callWords(call)
  const forms = verbsOf(language).formsOf(verb)
  const isGeneral = doesAnything(words, language)
  // `git push`
  if (isGeneral && !language.attributeVerbs.includes(verb) && hasForm(call, forms)) return true
  const isNamed = [...words, ...argumentWords(call)].some((word) => forms.has(word))
  const isAttribute = language.attributeVerbs.includes(verb) && isShaping(words, language)
  if (isNamed && !isGeneral && !language.attributeVerbs.includes(verb)) return true
  return (isNamed || isGeneral || isAttribute) && isAbout(action, call, language)
}

/** Its arguments say what it does, its name does not: `run_command`, not `run_build`. */
function doesAnything(words: readonly string[], language: Language): boolean {
  const own = words.filter((word) => !language.generalTools.includes(word))
  return own.length < words.length && !own.some((word) => verbsOf(language).verbs.has(word))
}

function hasForm(call: ToolCall, forms: ReadonlySet<string>): boolean {
  const { words } = argumentTexts(call)
  return [...forms].some((form) => words.has(form))
}

/** It makes or changes things, or does not say what it does. */
function isShaping(words: readonly string[], language: Language): boolean {
  const { formsOf, verbs } = verbsOf(language)
  const own = words.filter((word) => verbs.has(word))
  const shaping = language.shapingVerbs.map(formsOf)
  return own.length === 0 || own.some((word) => shaping.some((forms) => forms.has(word)))
}

/** One word, as in `{ action: "cancel" }`: longer texts are about many things. */
const argumentWords = once(({ args }: ToolCall): string[] =>
  isRecord(args)
    ? Object.values(args).flatMap((value) =>
        typeof value === 'string' && /^[\w-]{3,20}$/.test(value) ? nameWords(value) : [],
      )
    : [],
)

/** Name, keys or values of the call have a word of what was acted on, or it is said of nothing in particular. */
function isAbout({ heads, words }: Action, call: ToolCall, { generalNouns, actionNouns }: Language): boolean {
  const nouns = heads.filter((word) => !generalNouns.includes(word) && !Object.hasOwn(actionNouns, word))
  if (nouns.length === 0) return true
  const { keys, values } = argumentTexts(call)
  return nouns.some((noun) => keys.has(noun) || values.has(noun)) || words.some((noun) => values.has(noun))
}

const argumentTexts = once((call: ToolCall) => {
  const words = valueTexts(call.args).flatMap((text) => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [])
  return {
    keys: new AkinWords([...callWords(call), ...keysOf(call.args)]),
    values: new AkinWords(words.filter(({ length }) => length > 2)),
    words: new Set(words),
  }
})

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  return isRecord(value) ? Object.entries(value).flatMap(([key, item]) => [...nameWords(key), ...keysOf(item)]) : []
}

/** Each id that is named must be in one of the calls, if these say which thing they were about. */
function ofCalls(action: Action, done: readonly ToolCall[], fitting: readonly ToolCall[], ground: Ground): Backing {
  const { quantity, heads } = action
  const [first] = done
  if (!first) return { verdict: 'unbacked' }
  const areTelling = done.every(isTelling)
  const has = (call: ToolCall, name: string) => callText(call).has(name) || isAlias(name, call, ground)
  const other = areTelling
    ? wantedNames(action, done, ground).find((name) => !done.some((call) => has(call, name)))
    : undefined
  if (other !== undefined) {
    const failed = fitting.find((call) => outcomeOf(call) === 'error' && has(call, other))
    if (failed)
      return {
        verdict: 'contradicted',
        evidence: `${failed.name} returned an error for ${other}: ${preview(errorOf(failed) ?? '', 120)}`,
      }
    return { verdict: 'unbacked', evidence: `${first.name} was called, but not for ${other}` }
  }
  if (quantity !== undefined && heads.length > 0 && !isEnough(quantity, done))
    return {
      verdict: 'unbacked',
      evidence: `${first.name} succeeded ${done.length === 1 ? 'once' : `${done.length} times`}, not ${quantity} times`,
    }
  return { verdict: 'backed', evidence: `${first.name}(${preview(first.args ?? {}, 100)})` }
}

/**
 * Tools may know a thing by another id than people do: it stands in the same record, in no other, and the call has none
 * that looks like the name.
 */
function isAlias(name: string, { args }: ToolCall, { keyed }: Ground): boolean {
  const taken = valueTexts(args).map((value) => value.toLowerCase())
  if (taken.length > MOST_TAKEN || taken.some((value) => shapeOf(value) === shapeOf(name))) return false
  const own = new Set(keyed.get(name.toLowerCase())?.records ?? [])
  return taken.some((value) => {
    const records = /\d/.test(value) ? (keyed.get(value)?.read ?? []) : []
    return records.length > 0 && records.every((record) => own.has(record))
  })
}

const MOST_TAKEN = 50

/** It says which thing it was about. */
const isTelling = once(
  (call: ToolCall) =>
    /\d|\b[A-Z]{5,}\b/.test(`${asText(call.args)} ${asText(call.result)}`) ||
    /[\w-]\.[a-z]\w{1,4}\b/.test(asText(call.args)),
)

/**
 * The ids that are named; "all" without any means those of the last answer that listed some, of the kind the calls take.
 * "All blue ones": a word that only some of their records have picks these.
 */
function wantedNames({ names, whole, heads }: Action, done: readonly ToolCall[], ground: Ground): string[] {
  if (names.length > 0 || !whole) return names.map(({ name }) => name)
  const taken = new Set(
    done
      .flatMap(({ args }) => (isRecord(args) ? Object.values(args) : []))
      .flatMap((value) => (typeof value === 'string' ? [shapeOf(value)] : [])),
  )
  const listed = (ground.listed.at(-1) ?? []).filter((name) => taken.has(shapeOf(name)))
  const wordsOf = new Map(listed.map((name) => [name, recordWords(name, ground)]))
  const picking = heads.filter((word) => {
    const having = listed.filter((name) => wordsOf.get(name)?.has(word))
    return having.length > 0 && having.length < listed.length
  })
  return listed.filter((name) => picking.every((word) => wordsOf.get(name)?.has(word)))
}

/** The words of what was read about a thing, before anything was done to it. */
function recordWords(id: string, { keyed }: Ground): ReadonlySet<string> {
  const records = (keyed.get(id.toLowerCase())?.read ?? []).slice(0, 50)
  return new Set(
    records.flatMap((record) => Object.values(record).filter((item) => typeof item === 'string')).flatMap(nameWords),
  )
}

function shapeOf(name: string): string {
  return name.replaceAll(/\p{L}|\d/gu, 'x')
}

/** As many calls, or one that has as many of something. */
function isEnough(quantity: number, done: readonly ToolCall[]): boolean {
  if (done.length >= quantity) return true
  const has = (value: unknown): boolean => {
    if (value === quantity) return true
    if (Array.isArray(value)) return value.length >= quantity || value.some(has)
    return isRecord(value) && Object.values(value).some(has)
  }
  return done.some((call) => has(call.args))
}

/** What was found done already: as a value in a result that was read, or as the user says. */
function toldElsewhere(
  { verb, voice, names }: Action,
  calls: readonly ToolCall[],
  ground: Ground,
): Backing | undefined {
  if (verb === undefined) return undefined
  const { pastOf, formsOf } = verbsOf(ground.language)
  const forms = [...(voice === 'past' ? formsOf(verb) : pastOf(verb))]
  const wanted = names.map(({ name }) => name.toLowerCase())
  const tells = (call: ToolCall, name: string | undefined) => {
    const told = voice === 'past' ? toldByCall(call) : toldByResult(call)
    return forms.some((form) => {
      const found = told.get(form)
      return found !== undefined && (name === undefined || found.has(name) || argumentsText(call).has(name))
    })
  }
  const telling = (name: string | undefined) => calls.find((call) => tells(call, name))
  const read = (wanted.length > 0 ? wanted : [undefined]).map(telling)
  const [first] = read
  if (first && !read.includes(undefined)) return { verdict: 'backed', evidence: `the result of ${first.name}` }
  const said = voice === 'past' ? /./ : /(?<!\p{L})(?:was|were|been|got|is|are|'s|have|has|had|i|we|they)(?!\p{L})/iu
  for (const source of ground.sources.filter(({ given, name }) => given && name !== INSTRUCTIONS))
    for (const { text, words } of toldBySomebody(source))
      if (forms.some((form) => words.has(form)) && said.test(text)) return { verdict: 'backed', evidence: source.name }
  return undefined
}

/** What a call was made with and returned. */
const callText = once((call: ToolCall) => new TextIndex(`${asText(call.args)} ${asText(call.result)}`))
const argumentsText = once((call: ToolCall) => new TextIndex(asText(call.args)))

function valueTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(valueTexts)
  return isRecord(value) ? Object.values(value).flatMap(valueTexts) : []
}

/** A file that was written or removed is seen in the workspace, whoever did it. */
function fileBacking({ names, verb = '' }: Action, files: ClaimFiles | undefined): Backing | undefined {
  if (!files) return undefined
  for (const { name, kind } of names) {
    if (kind !== 'file') continue
    const change = files.changes.find(({ path }) => isPath(path, name))
    const isRemoval = REMOVALS.has(verb)
    if (change) {
      const isGone = change.change === 'deleted'
      return isGone === isRemoval
        ? { verdict: 'backed', evidence: `the workspace: ${change.path} was ${change.change}` }
        : { verdict: 'contradicted', evidence: `the workspace: ${change.path} was ${change.change}` }
    }
    if (files.missing.includes(name) && !isRemoval)
      return { verdict: 'contradicted', evidence: `${name} is not in the workspace` }
  }
  return undefined
}

const REMOVALS = new Set(['delete', 'remove', 'erase', 'purge', 'discard', 'trash', 'unlink'])
