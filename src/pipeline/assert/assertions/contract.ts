// `contract`: an MCP server keeps a rule of its contract. Cases of `viva test -n mcp:…` without `-i` have one for each rule.
import * as v from 'valibot'
import { suggest } from '../../../base/suggest.js'
import type { ContractEvidence, ContractFinding } from '../../../model/contract.js'
import { isContractEvidence } from '../../../model/contract-text.js'
import { defineAssertion, notAvailable, SpecError, type Verdict } from '../define-assertion.js'
import { rulesById } from '../contract/registry.js'
import type { Judged, Rule } from '../contract/rule.js'

export const contract = defineAssertion({
  type: 'contract',
  summary:
    'An MCP server keeps a rule of its contract, judged by the calls that `viva test -n mcp:…` without `-i` makes',
  example: { type: 'contract', rule: 'read-only' },
  on: 'actions',
  schema: v.object({ rule: v.pipe(v.string(), v.nonEmpty()) }),

  compile(spec, context) {
    const rule = rulesById.get(spec.rule)
    if (!rule) {
      const near = suggest(spec.rule, [...rulesById.keys()])
      throw new SpecError(
        `${context.field}.rule`,
        `there is no rule "${spec.rule}"; known: ${[...rulesById.keys()].join(', ')}`,
        near,
      )
    }
    return ({ reply }) => {
      const evidence = reply?.content
      return isContractEvidence(evidence) ? verdictOf(rule, judged(rule, evidence)) : NO_EVIDENCE
    }
  },
})

const NO_EVIDENCE = notAvailable(
  'there is no evidence about a contract: only an MCP server that is tested without -i gives it',
)

/** Where nothing was called, only what is listed can be judged. */
function judged(rule: Rule, evidence: ContractEvidence): Judged[] {
  const found = rule.judge(evidence)
  const { not_called, not_started } = evidence
  const why = not_called ?? not_started
  if (why === undefined || rule.byListing || found.length > 0) return found
  return [{ kind: 'not_exercised', why: not_called ?? 'the server did not start' }]
}

function verdictOf(rule: Rule, all: Judged[]): Verdict {
  const findings = all.filter(isOf('finding'))
  const [first, ...more] = findings
  if (first) return failed(rule, first, more)
  const open = all.find((each) => each.kind === 'not_exercised')
  if (open?.kind === 'not_exercised') return { passed: false, unchecked: `not exercised: ${open.why}` }
  const [hint, ...others] = all.filter(isOf('hint'))
  if (!hint) return { passed: true }
  const also = others.length > 0 ? ` (and ${others.length} more)` : ''
  return { passed: true, message: `${rule.id}: ${hint.what}${also}` }
}

type Found = Extract<Judged, { what: string }>

function isOf(kind: 'finding' | 'hint'): (each: Judged) => each is Found {
  return (each): each is Found => each.kind === kind
}

/** What was found, why it matters, how to fix it, and the exchange that shows it. */
function failed({ id, reason, fix }: Rule, found: Found, more: Found[]): Verdict {
  const { what, probe, before, after } = found
  const shown: ContractFinding = {
    rule: id,
    found: what,
    ...(more.length > 0 && { also: more.slice(0, MOST_OTHERS).map((each) => each.what) }),
    reason,
    fix,
    ...(probe && { request: probe.request, answer: probe.answer ?? probe.reason ?? null }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  return { passed: false, message: `${id}: ${what}${others}`, actual: shown }
}

const MOST_OTHERS = 5
