// The simulated user: did it play the person it was asked to be?
import { isEqual } from '../../../../base/equal.js'
import { asText, clip, preview } from '../../../../base/text.js'
import type { TurnResult } from '../../../../model/event.js'
import type { Strength } from '../confidence.js'
import type { BlameFacts, BlameRule, Suspicion } from '../blame-rule.js'
import { contentWords, identifiersIn } from '../words.js'

interface Played {
  facts: BlameFacts
  turns: TurnResult[]
  /** What the simulator said, in order. */
  said: string[]
  /** All that it was given: persona, goal and the rest. */
  brief: string
  goal: string
}

export const SIMULATOR_RULES: readonly BlameRule[] = [
  {
    id: 'simulator-failed',
    strength: 'shown',
    find: ({ wrong, message, result }) =>
      wrong.kind === 'simulator' || (wrong.kind === 'not_shown' && result.error_kind === 'simulator')
        ? { why: 'the simulated user gave no usable message', evidence: preview(message, 300) }
        : undefined,
  },
  played('left-role', 'sign', ({ said }) => {
    const line = said.find((text) => LEFT_ROLE.test(text))
    return line === undefined ? undefined : { why: 'the simulated user left its role', evidence: preview(line, 300) }
  }),
  played('not-a-message', 'sign', ({ said }) => {
    const line = said.find((text) => isMachineText(text))
    return line === undefined
      ? undefined
      : { why: 'the simulated user wrote something that no person would type', evidence: preview(line, 300) }
  }),
  played('parrot', 'sign', ({ turns, facts }) => {
    const all = facts.result.turns ?? []
    const copy = turns.find(({ input, turn }) => {
      const before = asText(all.find((other) => other.turn === turn - 1)?.output).trim()
      return before.length > 12 && asText(input).trim() === before
    })
    return copy === undefined
      ? undefined
      : {
          why: `in turn ${copy.turn} the simulated user repeated the agent's own words`,
          evidence: preview(copy.input, 300),
        }
  }),
  played('same-words', 'sign', ({ said, facts }) => {
    const [first] = said
    if (first === undefined || said.length < 3 || said.some((text) => text !== first)) return undefined
    const answers = (facts.result.turns ?? []).flatMap(({ output }) => (output === undefined ? [] : [output]))
    if (answers.length > 1 && answers.every((output) => isEqual(output, answers[0]))) return undefined
    return {
      why: `the simulated user said the same ${said.length} times, whatever the agent answered`,
      evidence: preview(first, 300),
    }
  }),
  played('invented-facts', 'sign', ({ said, brief, facts }) => {
    const given = identifiersIn(brief)
    const text = said.join('\n')
    const used = identifiersIn(text)
    if (given.size === 0 || [...given].some((id) => used.has(id))) return undefined
    const heard = [brief, ...(facts.result.turns ?? []).map(({ output }) => asText(output))].join('\n').toLowerCase()
    const invented = [...used].find((id) => !heard.includes(id) && [...given].some((own) => isAlike(own, id)))
    if (invented === undefined) return undefined
    return {
      why: `the simulated user invented ${preview(invented, 60)}; its brief says ${preview([...given].join(', '), 120)}`,
      evidence: preview(said.find((line) => line.toLowerCase().includes(invented)) ?? '', 300),
    }
  }),
  played('goal-not-said', 'sign', ({ said, goal }) => {
    const wanted = contentWords(goal)
    // In another language the same wish has other words.
    if (wanted.size < 2 || said.length === 0 || !ENGLISH.test(goal) || !ENGLISH.test(said.join('\n'))) return undefined
    const heard = contentWords(said.join('\n'))
    return [...wanted].some((word) => heard.has(word))
      ? undefined
      : {
          why: `the simulated user never said what it wants: ${preview(goal, 200)}`,
          evidence: preview(said.join(' / '), 300),
        }
  }),
  played('ended-early', 'sign', ({ facts }) => {
    const all = facts.result.turns ?? []
    const claim = all.find(({ goal_achieved }) => goal_achieved === true) ?? undefined
    const last = all.findLast(({ output }) => output !== undefined)
    if (claim === undefined || last === undefined) return undefined
    const isOpen = last.awaiting_input === true || /\?\s*(?:\([^)]*\)\s*)?$/.test(asText(last.output))
    return isOpen
      ? {
          why: 'the simulated user declared its goal achieved while the agent was still asking',
          evidence: preview(last.output, 300),
        }
      : undefined
  }),
  played('gave-up', 'hint', ({ said }) => {
    // Later on, the agent may have given it reason to.
    const line = said.slice(0, 2).find((text) => GIVES_UP.test(text))
    return line === undefined ? undefined : { why: 'the simulated user gave up', evidence: preview(line, 300) }
  }),
]

const LEFT_ROLE =
  /\bas an? (?:ai|(?:large )?language model|(?:ai |virtual )?assistant)\b|\b(?:i am|i'm) an? (?:ai|(?:large )?language model)\b|\bhow (?:can|may|could) i (?:help|assist)\b|\banything else i can (?:help|do|assist)|\bi(?:'m| am) (?:a |an |the |your )?(?:simulat\w*|(?:ai |virtual )?assistant)\b|\b(?:can|will|happy to|glad to) assist you\b|\bthis is (?:only |just )?a (?:test|simulation)\b|\bmy (?:persona|instructions?) (?:is|are|says?)\b|^\s*(?:assistant|user|simulator)\s*:/im
const ENGLISH = /\b(?:the|is|my|you|for|and|this|what|will|would|like|i)\b/i
const GIVES_UP = /\b(?:never ?mind|forget (?:it|about it)|i give up|i(?:'ll| will) (?:leave|stop|go elsewhere))\b/i

/** No person writes more in a message. */
const LONGEST_MESSAGE = 5_000

function isMachineText(text: string): boolean {
  return /^\s*(?:[{[<]|```)/.test(text) || /^\s*\*[^*]+\*\s*$/.test(text)
}

/** Written alike: digits for digits, letters for letters, about as long. */
function isAlike(one: string, other: string): boolean {
  const shape = (text: string): string => text.replaceAll(/[a-z]+/g, 'a').replaceAll(/\d+/g, '0')
  return shape(one) === shape(other)
}

function played(id: string, strength: Strength, find: (played: Played) => Suspicion | undefined): BlameRule {
  return {
    id,
    strength,
    find: (facts) => {
      const { result } = facts
      if (result.simulator === undefined || (facts.wrong.kind !== 'assertion' && facts.wrong.kind !== 'not_shown'))
        return undefined
      const turns = (result.turns ?? []).filter(
        ({ input_source, input }) => input_source === 'simulator' && asText(input) !== '',
      )
      const given = result.simulator_brief ?? {}
      return find({
        facts,
        turns,
        said: turns.map(({ input }) => clip(asText(input), LONGEST_MESSAGE)),
        brief: asText(given),
        goal: asText(given['goal']),
      })
    },
  }
}
