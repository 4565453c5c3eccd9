// The list of assertions. A new one is a file, a line here and a test.
import { agent } from './assertions/agent.js'
import { awaitingInput } from './assertions/awaiting-input.js'
import { claims } from './assertions/claims.js'
import { all, any, none } from './assertions/combine.js'
import { codeContains } from './assertions/code-contains.js'
import { contains, notContains } from './assertions/contains.js'
import { contract } from './assertions/contract.js'
import { equals } from './assertions/equals.js'
import { expectTool } from './assertions/expect-tool.js'
import { eventCount, eventOccurred, eventSchema, eventSequence, noEvent } from './assertions/events.js'
import { fileJson } from './assertions/file-json.js'
import { fileContains, fileExists, fileNotContains, scratchpadContains } from './assertions/files.js'
import { hatSequence, hatTransition, iterationCount } from './assertions/hats.js'
import { injection } from './assertions/injection.js'
import { jsonPath } from './assertions/json-path.js'
import { length, words } from './assertions/length.js'
import { cost, costWithin, duration, latency, tokens } from './assertions/limits.js'
import { exitCode, stderrContains, stdoutContains } from './assertions/process.js'
import { refusal } from './assertions/refusal.js'
import { regex } from './assertions/regex.js'
import { rubric } from './assertions/rubric.js'
import { schema } from './assertions/schema.js'
import { script } from './assertions/script.js'
import { similar } from './assertions/similar.js'
import { skillInvoked } from './assertions/skill-invoked.js'
import { snapshotMatches } from './assertions/snapshot-matches.js'
import { snapshot } from './assertions/snapshot.js'
import { iterations, terminationReason } from './assertions/termination.js'
import { span, spanSequence } from './assertions/spans.js'
import { stateChanged, stateEquals } from './assertions/state.js'
import { toolCalled, toolNotCalled } from './assertions/tool-called.js'
import { toolResult } from './assertions/tool-result.js'
import { toolSequence } from './assertions/tool-sequence.js'
import { type } from './assertions/type.js'
import type { AssertionDefinition } from './define-assertion.js'

export const assertionDefinitions: readonly AssertionDefinition[] = [
  equals,
  contains,
  notContains,
  regex,
  jsonPath,
  type,
  schema,
  length,
  words,
  similar,
  snapshot,
  awaitingInput,
  refusal,
  injection,
  toolCalled,
  toolNotCalled,
  toolResult,
  toolSequence,
  expectTool,
  skillInvoked,
  claims,
  contract,
  span,
  spanSequence,
  latency,
  duration,
  cost,
  tokens,
  exitCode,
  stdoutContains,
  stderrContains,
  costWithin,
  fileExists,
  fileContains,
  fileNotContains,
  codeContains,
  fileJson,
  stateEquals,
  stateChanged,
  scratchpadContains,
  snapshotMatches,
  terminationReason,
  iterations,
  eventOccurred,
  eventSequence,
  eventCount,
  noEvent,
  eventSchema,
  hatSequence,
  hatTransition,
  iterationCount,
  agent,
  rubric,
  script,
  all,
  any,
  none,
]

export const assertionsByType: ReadonlyMap<string, AssertionDefinition> = new Map(
  assertionDefinitions.map((definition) => [definition.type, definition]),
)
