// Whether a call, a result, somebody's word or a file shows what an answer says was done.
import { asText, preview } from '../../base/text.js'
import { isRecord } from '../../base/record.js'
import type { ToolCall } from '../../model/message.js'
import type { Action } from './actions.js'
import { isPath, type Backing } from './back-value.js'
import { callWords, errorOf, isReading, isThought, outcomeOf } from './calls.js'
import type { ClaimFiles } from './claim.js'
import type { Ground } from './ground.js'
import type { Language } from './languages/language.js'
import { nameWords, sentencesOf } from './text.js'
import { verbsOf } from './verbs.js'

export function backAction(action: Action, ground: Ground, files?: ClaimFiles): Backing {
  const { language } = ground
  const made = ground.calls.filter((call) => !isThought(call, language))
  const fitting = made.filter((call) => isFitting(action, call, language))
  const done = fitting.filter((call) => outcomeOf(call) === 'ok')
  const file = fileBacking(action, files)
  if (file) return file
  if (done.length > 0) return ofCalls(action, done, fitting)
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

/** By the verb in its name or arguments; tools that do anything must be about the same thing. */
function isFitting(action: Action, call: ToolCall, language: Language): boolean {
  const { verb } = action
  if (verb !== undefined && language.lookVerbs.includes(verb)) return true
  if (isReading(call, language)) return false
  const verbs = meantVerbs(action, language)
  if (verbs.length === 0) return true
  const words = callWords(call)
  const forms = verbs.map((each) => verbsOf(language).formsOf(each))
  const isNamed =
    words.some((word) => forms.some((each) => each.has(word))) ||
    argumentWords(call).some((word) => forms.some((each) => each.has(word)))
  const isGeneral = words.some((word) => language.generalTools.includes(word))
  if (isNamed && !isGeneral) return true
  const isAttribute = verbs.some((each) => language.attributeVerbs.includes(each))
  return (isNamed || isGeneral || isAttribute) && isAbout(action, call, language)
}

/** "Your cancellation has been processed" is about cancelling. */
function meantVerbs({ verb, heads, words }: Action, language: Language): string[] {
  if (verb === undefined) return []
  if (!language.lightVerbs.includes(verb)) return [verb]
  const nouns = [heads, words].map((list) =>
    list.flatMap((word) => (Object.hasOwn(language.actionNouns, word) ? [language.actionNouns[word] ?? ''] : [])),
  )
  const meant = nouns.find((list) => list.length > 0) ?? []
  return meant.length > 0 ? meant : language.verbGroups.some((group) => group.includes(verb)) ? [verb] : []
}

/** One word, as in `{ action: "cancel" }`: longer texts are about many things. */
function argumentWords({ args }: ToolCall): string[] {
  if (!isRecord(args)) return []
  return Object.values(args).flatMap((value) =>
    typeof value === 'string' && /^[\w-]{3,20}$/.test(value) ? nameWords(value) : [],
  )
}

/** Name, keys or values of the call have a word of what was acted on, or it is said of nothing in particular. */
function isAbout({ heads, words, names }: Action, call: ToolCall, { generalNouns }: Language): boolean {
  const nouns = heads.filter((word) => !generalNouns.includes(word))
  const text = asText(call.args).toLowerCase()
  if (nouns.length === 0) return true
  const keys = [...callWords(call), ...keysOf(call.args)]
  const values = valueWords(call.args)
  if (nouns.some((noun) => [...keys, ...values].some((word) => isAkin(noun, word)))) return true
  if (words.some((noun) => values.some((word) => isAkin(noun, word)))) return true
  return nouns.length === 0 && names.some(({ name }) => text.includes(name.toLowerCase()))
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  return isRecord(value) ? Object.entries(value).flatMap(([key, item]) => [...nameWords(key), ...keysOf(item)]) : []
}

function valueWords(value: unknown): string[] {
  if (typeof value === 'string') return value.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  if (Array.isArray(value)) return value.flatMap(valueWords)
  return isRecord(value) ? Object.values(value).flatMap(valueWords) : []
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
function ofCalls({ names, quantity, heads }: Action, done: readonly ToolCall[], fitting: readonly ToolCall[]): Backing {
  const textOf = (call: ToolCall) => `${asText(call.args)} ${asText(call.result)}`.toLowerCase()
  const telling = done.filter((call) => /\d|\b[A-Z]{5,}\b/.test(`${asText(call.args)} ${asText(call.result)}`))
  const [first] = done
  if (!first) return { verdict: 'unbacked' }
  const left =
    telling.length < done.length
      ? []
      : names.filter(({ name }) => !telling.some((call) => textOf(call).includes(name.toLowerCase())))
  const [other] = left
  if (other) {
    const failed = fitting.find(
      (call) => outcomeOf(call) === 'error' && asText(call.args).toLowerCase().includes(other.name.toLowerCase()),
    )
    if (failed)
      return {
        verdict: 'contradicted',
        evidence: `${failed.name} returned an error for ${other.name}: ${preview(errorOf(failed) ?? '', 120)}`,
      }
    return { verdict: 'unbacked', evidence: `${first.name} was called, but not for ${other.name}` }
  }
  if (quantity !== undefined && heads.length > 0 && !isEnough(quantity, done))
    return {
      verdict: 'unbacked',
      evidence: `${first.name} succeeded ${done.length === 1 ? 'once' : `${done.length} times`}, not ${quantity} times`,
    }
  return { verdict: 'backed', evidence: `${first.name}(${preview(first.args ?? {}, 100)})` }
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

/** What was found done already: in a result that was read, or as the user says. */
function toldElsewhere({ verb, voice }: Action, calls: readonly ToolCall[], ground: Ground): Backing | undefined {
  if (verb === undefined) return undefined
  const participles = verbsOf(ground.language).participlesOf(verb)
  const hasOne = (text: string) => (text.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => participles.has(word))
  const read = calls.find((call) => outcomeOf(call) === 'ok' && hasOne(asText(call.result)))
  if (read) return { verdict: 'backed', evidence: `the result of ${read.name}` }
  const wanted = voice === 'past' ? /./ : /(?<!\p{L})(?:was|were|been|got|is|are|'s|have|has|had|i|we|they)(?!\p{L})/iu
  for (const source of ground.sources.filter(({ given, name }) => given && name !== SYSTEM))
    for (const { text } of sentencesOf(source.text))
      if (!text.endsWith('?') && !WISH.test(text) && wanted.test(text) && hasOne(text))
        return { verdict: 'backed', evidence: source.name }
  return undefined
}

/** The name of the source that tells the agent how to work: what it says of things done is said of none in particular. */
export const SYSTEM = 'the instructions'
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
