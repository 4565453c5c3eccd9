// The library: run tests, read and report runs, define configuration, test with tools.
export { runTests } from './library/run-tests.js'
export type { StoreContext, MockTool, MockTools } from './model/given-tools.js'
export type { RunOutcome } from './run.js'
export type { RunIo } from './run/io.js'
export type { ProgramOptions } from './run/inline.js'
export { runCase, type CaseOptions, type OneCase } from './library/run-case.js'
export { evaluate, type Evaluation, type GivenAssertions } from './library/evaluate.js'
export type { GivenEvidence } from './library/given-evidence.js'
export { matchers, type MatcherResult } from './library/matchers.js'
export { defineCases } from './model/define-cases.js'
export type { AgentFunction } from './agents/targets/function.js'
export { toModelMessages, type SdkModelMessage } from './agents/sdk-messages/to-model-messages.js'
export { toAgentInput, type SdkInputItem } from './agents/sdk-messages/to-agent-input.js'
export { toLangChain, type LangChainMessage } from './agents/sdk-messages/to-lang-chain.js'
export type { WrittenCase } from './model/case-schema.js'
export type { AssertionType, Matcher, WrittenAssertion } from './model/assertion-types.js'
export { UserError, AgentError, type Problem, type Subject } from './errors.js'
export { readEvents, recordingOf } from './pipeline/record/read-events.js'
export { reporterByName, reporterForPath } from './pipeline/report/registry.js'
export { writeReport } from './pipeline/report/write-report.js'
export { DEFAULT_OPTIONS as defaultOptions } from './config/options.js'
export { defineConfig, type VivaConfig } from './config/define-config.js'
export { runLoop, type LoopOptions } from './library/run-loop.js'
export type { LoopResult } from './orchestrator/run-types.js'
export type { SessionRecord } from './model/session.js'
export { tools, type TestTools } from './tools/library.js'
export type { CallOptions, OpenToolsInit } from './tools/open-tools.js'
export { version } from './version.js'
export type { Agent, AgentContext, AgentOptions, AgentReply, AgentRequest } from './model/agent.js'
export type { AssertionResult, AssertionSpec } from './model/assertion.js'
export type { TestCase, Turn, Checkpoint } from './model/case.js'
export type {
  CaseStartEvent,
  ErrorEvent,
  ResultEvent,
  RunEvent,
  StabilityEvent,
  StartEvent,
  SummaryEvent,
} from './model/event.js'
export type { AgentMessage, AgentToolCall, Message, ToolCall, Usage } from './model/message.js'
export type { RunOptions } from './config/options.js'
export type { AgentEntry } from './model/config.js'
export type { EventSink } from './pipeline/record/event-log.js'
export type { Recording, Reporter, Screen } from './pipeline/report/recording.js'
