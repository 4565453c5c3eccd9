// Gemini's generateContent.
import type { ScriptedAnswer } from '../behaviour.js'
import { refusalOf } from '../rules/gemini.js'
import { data, finishOf, parsed, textOf, type Wire } from './wire.js'

export const gemini: Wire = {
  whole: (answer) => googleBody(answer, answer.refusal === undefined ? googleParts(answer) : [], true),
  events: (answer) => {
    if (answer.refusal !== undefined) return [data(googleBody(answer, [], true))]
    const pieces = (answer.pieces ?? []).map((text) => [{ text }])
    const { thought } = answer
    const calls = answer.calls
      ? [googleParts({ kind: 'answer', calls: answer.calls, ...(thought !== undefined && { thought }) })]
      : []
    const parts: unknown[][] = [...pieces, ...calls]
    return parts.map((part, index) => data(googleBody(answer, part, index === parts.length - 1)))
  },
  error: (type, message, status) => ({ error: { code: status, message, status: type.toUpperCase() } }),
  errorEvent: () => data({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }),
  refusalOf: (body, _headers, issued = []) =>
    refusalOf(body, ({ name, args }) => {
      const answer = issued.findLast(
        ({ calls: [first] = [] }) => first?.name === name && first.args === JSON.stringify(args),
      )
      return answer?.thought === undefined ? undefined : signatureOf(answer.thought)
    }),
}

const signatureOf = (thought: string): string => Buffer.from(thought).toString('base64')

const googleParts = (answer: ScriptedAnswer): unknown[] => [
  ...(answer.pieces ? [{ text: textOf(answer) }] : []),
  // The first call of a turn carries the signature of the thought that led to it.
  ...(answer.calls ?? []).map(({ name, args }, at) => ({
    functionCall: { name, args: parsed(args) },
    ...(at === 0 && answer.thought !== undefined && { thoughtSignature: signatureOf(answer.thought) }),
  })),
]
const endingOf = (answer: ScriptedAnswer): string =>
  answer.refusal !== undefined ? 'SAFETY' : finishOf(answer) === 'length' ? 'MAX_TOKENS' : 'STOP'
const googleBody = (answer: ScriptedAnswer, parts: unknown[], last: boolean) => ({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts },
      ...(last && { finishReason: endingOf(answer) }),
    },
  ],
  ...(last &&
    answer.usage && {
      usageMetadata: {
        promptTokenCount: answer.usage.input,
        candidatesTokenCount: answer.usage.output,
        totalTokenCount: answer.usage.input + answer.usage.output,
        ...(answer.usage.cached !== undefined && { cachedContentTokenCount: answer.usage.cached }),
        ...(answer.usage.reasoning !== undefined && { thoughtsTokenCount: answer.usage.reasoning }),
      },
    }),
})
