// A case that passes, with an agent and helpers that answer right only when they are asked exactly what they were asked then.
import { isEqual } from '../../src/base/equal.js'
import { UserError } from '../../src/errors.js'
import type { Agent, AgentReply, AgentRequest } from '../../src/model/agent.js'
import type { TestCase } from '../../src/model/case.js'
import type { HelperCall } from '../../src/model/helper.js'
import { checkAssertion } from '../../src/pipeline/assert/compile.js'
import { compileCase } from '../../src/pipeline/execute/compile-case.js'
import { Conversation } from '../../src/pipeline/execute/conversation/conversation.js'
import { converse } from '../../src/pipeline/execute/conversation/converse.js'
import { contextFor, optionsFor } from '../../src/pipeline/plan/environment.js'
import { messagesOf } from '../../src/pipeline/sources/attachments.js'
import { casesFromValues } from '../../src/pipeline/sources/values.js'
import { setupOf } from './scripted-conversation.js'

export interface Sample {
  name: string
  written: Record<string, unknown>
  /** What the agent answers, turn by turn. */
  replies: Array<Partial<AgentReply>>
  /** What the simulator says, then what it is asked. */
  simulator?: unknown[]
  judge?: unknown
  script?: unknown
}

/** Everything that passed between Viva and others, in order. */
type Record_ = unknown[]

export type Outcome = { kind: 'refused'; text: string } | { kind: 'ran'; status: string; warnings: string[] }

const TOOLS = ['shop__book', 'shop__cancel']
const KNOWN = new Set([
  'scripts:checks.Polite',
  'agents:judges.polite',
  './user.mjs#run',
  'scripts:env.Before',
  'openai.small',
])

export interface Sensitive {
  record: Record_
}

/** Runs the case as it is, and keeps what was asked. */
export async function recordSample(sample: Sample, dir: string): Promise<Sensitive> {
  const record: Record_ = []
  const outcome = await play(sample, sample.written, dir, (asked) => {
    record.push(structuredClone(asked))
    return true
  })
  if (outcome.kind !== 'ran' || outcome.status !== 'passed' || outcome.warnings.length > 0)
    throw new Error(`${sample.name} does not pass: ${JSON.stringify(outcome)}`)
  return { record }
}

/** Runs another version of the case against the same agent and helpers. */
export function playSample(sample: Sample, { record }: Sensitive, written: unknown, dir: string): Promise<Outcome> {
  let position = 0
  return play(sample, written, dir, (asked) => isEqual(record[position++], structuredClone(asked)))
}

async function play(
  sample: Sample,
  written: unknown,
  dir: string,
  isExpected: (asked: unknown) => boolean,
): Promise<Outcome> {
  const loaded = await load(written, dir)
  if ('refused' in loaded) return { kind: 'refused', text: loaded.refused }
  const { testCase, warnings } = loaded
  if (testCase.skip) return { kind: 'ran', status: 'skipped', warnings }
  const ask = (asked: unknown, answer: unknown, otherwise: unknown): Promise<unknown> =>
    Promise.resolve(isExpected(asked) ? answer : otherwise)
  let turn = 0
  const agent: Agent = {
    id: 'sensitive',
    send: async (request: AgentRequest): Promise<AgentReply> => {
      const { messages, options, tools, context } = request
      const asked = { messages, options, tools, metadata: context.metadata, authorized: context.authorized }
      const right: AgentReply = { content: null, tool_calls: [], ...sample.replies[turn++] }
      return (await ask(asked, right, { content: 'Sorry?', tool_calls: [] })) as AgentReply
    },
  }
  let said = 0
  const simulate = ({ data, options, use }: HelperCall): Promise<unknown> =>
    ask({ data: { ...data, session_id: '' }, options, use }, sample.simulator?.[said++], 'Sorry?')
  const setup = setupOf({}, { agent })
  const conversation = new Conversation({
    ...setup,
    testCase,
    compiled: compileCase(testCase),
    context: contextFor({}, testCase, 'chat', 'sensitive'),
    options: optionsFor(testCase, {}),
    ask: simulate,
    run: {
      ...setup.run,
      messagesOf: (input, attachments) => messagesOf(input, attachments, { dir, appRoot: dir, allowOutside: false }),
    },
    services: {
      ...setup.services,
      judge: ({ data, options, use }) => ask({ data, options, use }, sample.judge, { passed: false }),
      script: (ref, args) => ask({ ref, args: args.slice(0, 3), metadata: metadataOf(args[3]) }, sample.script, false),
    },
  })
  const result = await converse(conversation)
  return { kind: 'ran', status: result.status, warnings }
}

function metadataOf(value: unknown): unknown {
  return (value as { metadata?: unknown } | undefined)?.metadata
}

async function load(
  written: unknown,
  dir: string,
): Promise<{ refused: string } | { testCase: TestCase; warnings: string[] }> {
  const reference = (name: string, field: string) =>
    KNOWN.has(name) ? [] : [{ field, message: `there is no ${name}` }]
  try {
    const source = await casesFromValues([written], {
      kind: 'generator',
      label: 'cases',
      dir,
      checkAssertion: (spec, field, doubts) => checkAssertion(spec, field, doubts, TOOLS),
      checkHelper: reference,
      checkHook: reference,
      checkConnector: reference,
      checkStub: (name) => (TOOLS.includes(name) ? undefined : { problem: `there is no tool ${name}` }),
    })
    for await (const [loaded] of source.cases()) {
      if (loaded) return { testCase: loaded.testCase, warnings: source.warnings }
    }
    return { refused: 'no case' }
  } catch (error) {
    if (error instanceof UserError) return { refused: JSON.stringify(error.problems) }
    throw error
  }
}
