// `all`, `any`, `none`: assertions about assertions. A part that could not be checked counts as unknown, not as false.
import * as v from 'valibot'
import type { AssertionResult } from '../../../model/assertion.js'
import { defineAssertion, SpecError, type AssertionDefinition, type Verdict } from '../define-assertion.js'
import { evaluate, failureText } from '../evaluate.js'

export const all = combination('all', 'All of the assertions hold', (parts) => {
  const failed = parts.filter(isFailed)
  if (failed.length > 0)
    return { passed: false, message: `${failed.length} of ${parts.length} failed: ${texts(failed)}` }
  return unknown(parts) ?? { passed: true }
})

export const any = combination('any', 'At least one of the assertions holds', (parts) => {
  if (parts.some((part) => part.passed)) return { passed: true }
  return unknown(parts) ?? { passed: false, message: `none of ${parts.length} holds: ${texts(parts)}` }
})

export const none = combination('none', 'None of the assertions holds', (parts) => {
  const held = parts.filter((part) => part.passed)
  if (held.length > 0) {
    const names = held.map((part) => part.label ?? `${part.type} ${JSON.stringify(part.value ?? part.name ?? '')}`)
    return { passed: false, message: `${held.length} of ${parts.length} hold: ${names.join('; ')}` }
  }
  return unknown(parts) ?? { passed: true }
})

function combination(type: string, summary: string, judge: (parts: AssertionResult[]) => Verdict): AssertionDefinition {
  return defineAssertion({
    type,
    summary,
    example: {
      type,
      assertions: [
        { type: 'contains', value: 'refund' },
        { type: 'contains', value: 'credit' },
      ],
    },
    on: 'group',
    schema: v.object({ assertions: v.array(v.unknown()) }),

    compile({ assertions }, { field, compile }) {
      if (assertions.length === 0) throw new SpecError(`${field}.assertions`, 'must not be empty')
      const members = compile(assertions, `${field}.assertions`)
      return (evidence, services) => {
        const parts = evaluate(members, evidence, services)
        return parts instanceof Promise
          ? parts.then((done) => ({ ...judge(done), parts: done }))
          : { ...judge(parts), parts }
      }
    },
  })
}

function isFailed(part: AssertionResult): boolean {
  return !part.passed && part.error === undefined
}

function unknown(parts: AssertionResult[]): Verdict | undefined {
  const broken = parts.find((part) => part.error !== undefined)
  if (!broken?.error) return undefined
  return { passed: false, error: broken.error, error_kind: broken.error_kind ?? 'input' }
}

function texts(parts: AssertionResult[]): string {
  return parts.map((part) => failureText(part)).join('; ')
}
