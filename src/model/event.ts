// The spine: every fact about a run, in order. The lines of an event file are exactly these; the schemas say what they hold.
import type { InferOutput } from 'valibot'
import type * as events from './event-schema.js'
import type * as results from './result-schema.js'

export const EVENT_FORMAT = 1
/** With several variants: a reader that knows only format 1 would take the results of one variant for those of another. */
export const VARIANTS_FORMAT = 2
export const EVENT_FORMATS: readonly number[] = [EVENT_FORMAT, VARIANTS_FORMAT]

export type RunEvent =
  | StartEvent
  | CaseStartEvent
  | ResultEvent
  | ErrorEvent
  | LogEvent
  | PromptEvent
  | OrchestratorEvent
  | StabilityEvent
  | SummaryEvent

export interface Environment extends InferOutput<typeof events.environment> {}
export interface StartEvent extends InferOutput<typeof events.startSchema> {}
export interface CaseStartEvent extends InferOutput<typeof events.caseStartSchema> {}
export interface ErrorEvent extends InferOutput<typeof events.errorSchema> {}
export interface LogEvent extends InferOutput<typeof events.logSchema> {}
/** A system prompt, before the first result that refers to it. */
export interface PromptEvent extends InferOutput<typeof events.promptSchema> {}
/** A record of an orchestrator's session. */
export interface OrchestratorEvent extends InferOutput<typeof events.orchestratorSchema> {}
export interface RunDetail extends InferOutput<typeof events.runDetail> {}
export interface StabilityEvent extends InferOutput<typeof events.stabilitySchema> {}
export interface CorrectedSummary extends InferOutput<typeof events.corrected> {}
/** What was chosen, against what should have been. */
export interface ChoicesSummary extends InferOutput<typeof events.choices> {}
/** What an MCP server lists, what of that was used, and what was found. */
export interface ContractSummary extends InferOutput<typeof events.contractSummary> {}
export interface VariantSummary extends InferOutput<typeof events.variantSummary> {}
export interface SummaryEvent extends InferOutput<typeof events.summarySchema> {}

export type ResultEvent = PassedResult | FailedResult | SkippedResult
export interface PassedResult extends InferOutput<typeof results.passedResult> {}
export interface FailedResult extends InferOutput<typeof results.failedResult> {}
export interface SkippedResult extends InferOutput<typeof results.skippedResult> {}

export interface TurnResult extends InferOutput<typeof results.turnResult> {}
export interface CheckpointResult extends InferOutput<typeof results.checkpointResult> {}
export interface Attempt extends InferOutput<typeof results.attempt> {}
export interface Rerun extends InferOutput<typeof results.rerun> {}
