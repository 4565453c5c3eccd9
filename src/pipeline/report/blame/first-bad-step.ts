// Which step of an agent, or of several agents in one log, went wrong first: by rules, without asking a model.
// The rules know no format; `agent-steps.ts` makes the steps of a result.
import { textHash } from '../../../base/text-hash.js'

export interface AgentStep {
  /** Who took it. */
  by: string
  /** `asks`: what the agents were given. `acts`: a call, or code that is run. `sees`: what came of it. `says`: the rest. */
  kind: 'asks' | 'acts' | 'sees' | 'says'
  text: string
  /** Of `sees`: the act failed. */
  failed?: boolean
  /** Of `acts`: the agent wrote the code itself, so that an error of it is its own. */
  code?: boolean
}

export interface BadStep {
  /** Position in the steps, from 0. */
  at: number
  rule: StepRuleId
}

export interface StepRule {
  id: string
  /** `passing`: the acts of a run of the same case that passed, as hashes. */
  find(steps: readonly AgentStep[], passing?: readonly string[]): number | undefined
}

/** The first rule that finds something decides: from what shows a mistake to what only makes one likely. */
export const STEP_RULES = [
  { id: 'diverges', find: divergence },
  { id: 'unbacked', find: unbackedClaim },
  { id: 'ignored-error', find: ignoredError },
  { id: 'repeated', find: repeatedAct },
  { id: 'unused-result', find: unusedResult },
  // All that follows rests on it: its choice of what to do, or what to look for.
  { id: 'first-act', find: (steps) => indexOf(steps, ({ kind }) => kind === 'acts') },
] as const satisfies readonly StepRule[]

export type StepRuleId = (typeof STEP_RULES)[number]['id']

export function firstBadStep(steps: readonly AgentStep[], passing?: readonly string[]): BadStep | undefined {
  for (const { id, find } of STEP_RULES) {
    const at = find(steps, passing)
    if (at !== undefined) return { at, rule: id }
  }
  return undefined
}

function indexOf(steps: readonly AgentStep[], test: (step: AgentStep, at: number) => boolean): number | undefined {
  const at = steps.findIndex(test)
  return at === -1 ? undefined : at
}

function isOwn({ kind }: AgentStep): boolean {
  return kind === 'acts' || kind === 'says'
}

/** The first act that a run which passed did not make at that place. */
function divergence(steps: readonly AgentStep[], passing?: readonly string[]): number | undefined {
  if (passing === undefined) return undefined
  const acts = steps.flatMap(({ kind, text }, at) => (kind === 'acts' ? [{ text, at }] : []))
  const other = acts.findIndex(({ text }, index) => textHash(text) !== passing[index])
  if (other !== -1) return acts[other]?.at
  // It stopped before the other did: the step after its last act.
  const last = acts.at(-1)?.at ?? -1
  return acts.length < passing.length ? indexOf(steps, (step, at) => at > last && step.kind === 'says') : undefined
}

/** What an agent says when it makes up what it should have found out. */
const MADE_UP =
  /\b(?:let(?:'|\u2019)?s assume|(?:we|i)(?:'ll| will| can)? assume|assuming (?:that|the|we)|hypothetical|simulat(?:e|ed|ing) (?:the |a |some )?(?:data|results?|values?|output)|mock data|dummy data|(?:sample|example|placeholder) (?:data|values?)|for (?:the sake of|demonstration|illustration)|as an example, (?:let|suppose)|suppose (?:that|the|we))/i

/** It says that it assumes something; or it states facts, and nobody ever looked anything up. */
function unbackedClaim(steps: readonly AgentStep[]): number | undefined {
  const assumed = indexOf(steps, (step) => isOwn(step) && MADE_UP.test(step.text))
  if (assumed !== undefined || steps.some(({ kind }) => kind === 'acts')) return assumed
  const given = steps.flatMap(({ kind, text }) => (kind === 'asks' ? [text.toLowerCase()] : [])).join('\n')
  return indexOf(steps, ({ kind, text }) => kind === 'says' && valuesIn(text).some((value) => !given.includes(value)))
}

/** Nothing was tried after a tool failed; what was said next ignores it. Errors of its own code are no tool's. */
function ignoredError(steps: readonly AgentStep[]): number | undefined {
  const error = steps.findIndex(({ kind, failed }, at) => kind === 'sees' && failed === true && isLast(steps, at))
  if (error === -1 || steps.slice(0, error).findLast(({ kind }) => kind === 'acts')?.code === true) return undefined
  return indexOf(steps, (step, at) => at > error && isOwn(step))
}

function isLast(steps: readonly AgentStep[], at: number): boolean {
  return !steps.slice(at).some(({ kind }) => kind === 'acts')
}

/** The same act as just before, by the same author. */
function repeatedAct(steps: readonly AgentStep[]): number | undefined {
  const acts = steps.flatMap(({ kind, by, text }, at) => (kind === 'acts' ? [{ key: `${by} ${plain(text)}`, at }] : []))
  return acts.find(({ key }, index) => index > 0 && key === acts[index - 1]?.key)?.at
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Nothing that was found is ever spoken of again. */
function unusedResult(steps: readonly AgentStep[]): number | undefined {
  for (const [at, { kind, failed, text }] of steps.entries()) {
    if (kind !== 'sees' || failed === true) continue
    const values = valuesIn(text)
    const next = steps.findIndex((step, index) => index > at && isOwn(step))
    if (values.length === 0 || next === -1 || steps[next]?.kind !== 'says') continue
    const later = steps.slice(next).filter(({ kind: other }) => other !== 'asks')
    if (!later.some((step) => values.some((value) => step.text.toLowerCase().includes(value)))) return next
  }
  return undefined
}

/** Numbers, and what stands in bold or in quotes; not in code. */
function valuesIn(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
  const found = [
    ...prose.matchAll(/(?<![\w.])\d+(?:[.,:/-]\d+)*(?!\w)/g),
    ...prose.matchAll(/\*\*([^*\n]{1,80})\*\*/g),
    ...prose.matchAll(/["\u201c]([^"\u201d\n]{1,80})["\u201d]/g),
  ].map(([all, inner]) => (inner ?? all).toLowerCase())
  return [...new Set(found.filter((value) => value.length > 1))]
}
