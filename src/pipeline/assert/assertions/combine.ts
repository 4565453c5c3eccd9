// `all`, `any`, `none`: assertions about assertions. A part that could not be checked counts as unknown, not as false.
import * as v from 'valibot'
import { isRecord } from '../../../base/record.js'
import type { AssertionResult } from '../../../model/assertion.js'
import { defineAssertion, SpecError, type AssertionDefinition, type Verdict } from '../define-assertion.js'
import { cannotSay, evaluateMembers, failureText, type Member } from '../evaluate.js'

export const all = combination('all', 'All of the assertions hold', (members) => {
  const failing = members.filter(isFailing)
  if (failing.length === 0) return unknown(members) ?? { passed: true }
  const message = `${failing.length} of ${members.length} failed: ${texts(failing)}`
  // A single one that shows something is enough to say that not all hold.
  return { passed: false, message, ...(failing.every(isOpen) && openness(failing)) }
})

export const any = combination('any', 'At least one of the assertions holds', (members) => {
  if (members.some(({ result }) => result.passed)) return { passed: true }
  const message = `none of ${members.length} holds: ${texts(members)}`
  return unknown(members) ?? { passed: false, message, ...openness(members) }
})

export const none = combination('none', 'None of the assertions holds', (members) => {
  const held = members.filter(({ result }) => result.passed)
  if (held.length > 0) {
    const names = held.map(({ result }) => result.label ?? nameOf(result))
    return { passed: false, message: `${held.length} of ${members.length} hold: ${names.join('; ')}` }
  }
  const { incomplete, absent } = openness(members)
  if (incomplete !== undefined) return cannotSay(incomplete)
  if (absent !== undefined) return { passed: false, message: `nothing was shown: ${absent}`, absent }
  return unknown(members) ?? { passed: true }
})

function combination(type: string, summary: string, judge: (members: Member[]) => Verdict): AssertionDefinition {
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

    compile({ assertions, negate }, context) {
      const { field } = context
      if (assertions.length === 0) throw new SpecError(`${field}.assertions`, 'must not be empty')
      if ((type === 'none' || negate === true) && assertions.some(holdsSnapshot))
        throw new SpecError(`${field}.assertions`, 'anything other than the snapshot would pass: it shows nothing')
      const members = context.compile(assertions, `${field}.assertions`)
      const conclude = (done: Member[]): Verdict => {
        const counted = done.filter(({ result }) => !result.advice)
        const verdict: Verdict = counted.length > 0 ? judge(counted) : { ...judge(done), advice: true }
        const isClaimed = counted.some(({ result }) => result.claimed)
        return { ...verdict, parts: done.map(({ result }) => result), ...(isClaimed && { claimed: true }) }
      }
      return (evidence, services) => {
        const done = evaluateMembers(members, evidence, services)
        return done instanceof Promise ? done.then(conclude) : conclude(done)
      }
    },
  })
}

function holdsSnapshot(member: unknown): boolean {
  if (!isRecord(member)) return member === 'snapshot'
  const inner = member['assertions']
  return member['type'] === 'snapshot' || (Array.isArray(inner) && inner.some(holdsSnapshot))
}

function isFailing({ result }: Member): boolean {
  return !result.passed && result.error === undefined
}

/** Neither shown to hold nor shown not to. */
function isOpen({ verdict }: Member): boolean {
  return verdict.absent !== undefined || verdict.incomplete !== undefined
}

function openness(members: Member[]): Pick<Verdict, 'absent' | 'incomplete'> {
  const open = members.filter((member) => isFailing(member) && isOpen(member))
  const incomplete = open.find(({ verdict }) => verdict.incomplete !== undefined)?.verdict.incomplete
  const absent = open.find(({ verdict }) => verdict.absent !== undefined)?.verdict.absent
  return { ...(incomplete !== undefined && { incomplete }), ...(absent !== undefined && { absent }) }
}

function unknown(members: Member[]): Verdict | undefined {
  const broken = members.find(({ result }) => result.error !== undefined)?.result
  if (!broken?.error) return undefined
  return { passed: false, error: broken.error, error_kind: broken.error_kind ?? 'input' }
}

function nameOf(result: AssertionResult): string {
  return `${result.type} ${JSON.stringify(result.value ?? result.name ?? '')}`
}

function texts(members: Member[]): string {
  return members.map(({ result }) => failureText(result)).join('; ')
}
