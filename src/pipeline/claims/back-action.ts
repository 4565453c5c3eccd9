// Whether a call, a result, somebody's word or a file shows what an answer says was done.
import { asText, preview } from '../../base/text.js'
import { isRecord } from '../../base/record.js'
import type { ToolCall } from '../../model/message.js'
import type { Action } from './actions.js'
import { isPath, type Backing } from './back-value.js'
import { callWords, errorOf, isReading, isThought, outcomeOf, resultOf } from './calls.js'
import { INSTRUCTIONS, type ClaimFiles } from './claim.js'
import type { Ground } from './ground.js'
import type { Source } from './known.js'
import type { Language } from './languages/language.js'
import { nameWords, once, sentencesOf } from './text.js'
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
  if (done.length > 0) return ofCalls(action, done, fitting, ground)
  if (action.voice !== 'self') {
    const told = toldElsewhere(action, made, ground)
    if (told) return told
  }
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
  return { verdict: 'unbacked', evidence: 'no call did this' }
}

/** By the verb in its name or arguments; what changes or runs anything must be about the same thing. */
function isFitting(action: Action, verb: string | undefined, call: ToolCall, language: Language): boolean {
  if (verb !== undefined && language.lookVerbs.includes(verb)) return true
  if (isReading(call, language)) return false
  if (verb === undefined) return true
  const words = callWords(call)
  const forms = verbsOf(language).formsOf(verb)
  const isNamed = [...words, ...argumentWords(call)].some((word) => forms.has(word))
  const isGeneral = words.some((word) => language.generalTools.includes(word))
  const isAttribute = language.attributeVerbs.includes(verb) && isShaping(words, language)
  if (isNamed && !isGeneral && !language.attributeVerbs.includes(verb)) return true
  return (isNamed || isGeneral || isAttribute) && isAbout(action, call, language)
}

/** It makes or changes things, or does not say what it does. */
function isShaping(words: readonly string[], language: Language): boolean {
  const { formsOf, verbs } = verbsOf(language)
  const own = words.filter((word) => verbs.has(word))
  const shaping = language.shapingVerbs.map(formsOf)
  return own.length === 0 || own.some((word) => shaping.some((forms) => forms.has(word)))
}

/** One word, as in `{ action: "cancel" }`: longer texts are about many things. */
function argumentWords({ args }: ToolCall): string[] {
  if (!isRecord(args)) return []
  return Object.values(args).flatMap((value) =>
    typeof value === 'string' && /^[\w-]{3,20}$/.test(value) ? nameWords(value) : [],
  )
}

/** Name, keys or values of the call have a word of what was acted on, or it is said of nothing in particular. */
function isAbout({ heads, words }: Action, call: ToolCall, { generalNouns, actionNouns }: Language): boolean {
  const nouns = heads.filter((word) => !generalNouns.includes(word) && !Object.hasOwn(actionNouns, word))
  if (nouns.length === 0) return true
  const keys = [...callWords(call), ...keysOf(call.args)]
  const values = valueWords(call.args)
  if (nouns.some((noun) => [...keys, ...values].some((word) => isAkin(noun, word)))) return true
  return words.some((noun) => values.some((word) => isAkin(noun, word)))
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  return isRecord(value) ? Object.entries(value).flatMap(([key, item]) => [...nameWords(key), ...keysOf(item)]) : []
}

function valueWords(value: unknown): string[] {
  return valueTexts(value).flatMap((text) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
}

/** The same word but for its ending: order, orders; bag, baggage. */
function isAkin(a: string, b: string): boolean {
  const [short = '', long = ''] = [singular(a), singular(b)].toSorted((x, y) => x.length - y.length)
  if (short === long) return true
  if (!long.startsWith(short)) return false
  return short.length >= 4 || (short.length === 3 && long[3] === short[2])
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word
}

/** Each id that is named must be in one of the calls, if these say which thing they were about. */
function ofCalls(action: Action, done: readonly ToolCall[], fitting: readonly ToolCall[], ground: Ground): Backing {
  const { quantity, heads } = action
  const [first] = done
  if (!first) return { verdict: 'unbacked' }
  const areTelling = done.every(isTelling)
  const has = (call: ToolCall, name: string) => callText(call).includes(name.toLowerCase())
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

/** It says which thing it was about. */
const isTelling = once((call: ToolCall) => /\d|\b[A-Z]{5,}\b/.test(`${asText(call.args)} ${asText(call.result)}`))

/**
 * The ids that are named; "all" without any means those of the last answer that listed some, of the kind the calls take.
 * "All blue ones": a word that only some of their records have picks these.
 */
function wantedNames({ names, whole, heads }: Action, done: readonly ToolCall[], ground: Ground): string[] {
  if (names.length > 0 || !whole) return names.map(({ name }) => name)
  const taken = done
    .flatMap(({ args }) => (isRecord(args) ? Object.values(args) : []))
    .filter((value) => typeof value === 'string')
  const listed = (ground.listed.at(-1) ?? []).filter((name) => taken.some((value) => shapeOf(value) === shapeOf(name)))
  const wordsOf = new Map(listed.map((name) => [name, recordWords(name, ground)]))
  const picking = heads.filter((word) => {
    const having = listed.filter((name) => wordsOf.get(name)?.has(word))
    return having.length > 0 && having.length < listed.length
  })
  return listed.filter((name) => picking.every((word) => wordsOf.get(name)?.has(word)))
}

/** The words of what was read about a thing, before anything was done to it. */
function recordWords(id: string, { sources, language }: Ground): ReadonlySet<string> {
  const read = sources.filter(({ call, data }) => call && data !== undefined && isReading(call, language))
  const records = read.flatMap(({ data }) => recordsWith(id, data))
  return new Set(
    records.flatMap((record) => Object.values(record).filter((item) => typeof item === 'string')).flatMap(nameWords),
  )
}

function recordsWith(id: string, value: unknown): Array<Record<string, unknown>> {
  if (Array.isArray(value)) return value.flatMap((item) => recordsWith(id, item))
  if (!isRecord(value)) return []
  const items = Object.values(value)
  return items.includes(id) ? [value] : items.flatMap((item) => recordsWith(id, item))
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
  const participles = voice === 'past' ? formsOf(verb) : pastOf(verb)
  const hasOne = (words: ReadonlySet<string>) => [...participles].some((word) => words.has(word))
  const isAboutIt = (call: ToolCall) => names.every(({ name }) => callText(call).includes(name.toLowerCase()))
  const read = calls.find(
    (call) =>
      outcomeOf(call) === 'ok' && isAboutIt(call) && hasOne(voice === 'past' ? allWords(call) : resultWords(call)),
  )
  if (read) return { verdict: 'backed', evidence: `the result of ${read.name}` }
  const wanted = voice === 'past' ? /./ : /(?<!\p{L})(?:was|were|been|got|is|are|'s|have|has|had|i|we|they)(?!\p{L})/iu
  for (const source of ground.sources.filter(({ given, name }) => given && name !== INSTRUCTIONS))
    for (const { text, words } of toldBy(source))
      if (wanted.test(text) && hasOne(words)) return { verdict: 'backed', evidence: source.name }
  return undefined
}

/** What somebody says, not asks or wishes. */
const toldBy = once(({ text }: Source) =>
  sentencesOf(text).flatMap((sentence) =>
    sentence.text.endsWith('?') || WISH.test(sentence.text)
      ? []
      : [{ text: sentence.text, words: new Set(sentence.text.match(/\p{L}+/gu)) }],
  ),
)

/** What a call was made with and returned, in lower case. */
const callText = once((call: ToolCall) => `${asText(call.args)} ${asText(call.result)}`.toLowerCase())
const allWords = once((call: ToolCall) => new Set(callText(call).match(/\p{L}+/gu)))
const resultWords = once(
  (call: ToolCall) =>
    new Set(valueTexts(resultOf(call.result)).flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? [])),
)

function valueTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(valueTexts)
  return isRecord(value) ? Object.values(value).flatMap(valueTexts) : []
}

const WISH = /(?<!\p{L})(?:want|like|need|please|could|can|would|should|if|wish|hope|have to|get)(?!\p{L})/iu

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
