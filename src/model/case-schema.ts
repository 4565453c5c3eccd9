// The one schema of a case: source of the types, the checks, the error messages and `viva schema case`.
import * as v from 'valibot'
import type { WrittenAssertion } from './assertion-types.js'
import {
  age,
  anyObject,
  duration,
  flag,
  integerBetween,
  numberBetween,
  object,
  open,
  share,
  text,
  texts,
} from './case-schema-base.js'
import { about, optional } from './schema-parts.js'
import { testingEntries } from './testing-schema.js'
import { FREE_KEY } from './free-key.js'
import { ROLES } from './message.js'

const list = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

const ATTACHMENT_TYPES = ['image', 'image_url', 'audio', 'input_audio', 'file', 'data'] as const

const part = about(
  open({ type: text() }, 'kept', 'content part index {index}: expected object, found {found}'),
  'A content part: text, image, image_url, audio, input_audio, file, data, or a type of your own.',
)

/** What messages of other tools carry as well: passed on without a warning. */
const OF_OTHERS = {
  id: optional(v.unknown()),
  metadata: optional(v.unknown()),
  reasoning: optional(v.unknown()),
  reasoning_content: optional(v.unknown()),
  refusal: optional(v.unknown()),
  annotations: optional(v.unknown()),
  audio: optional(v.unknown()),
  function_call: optional(v.unknown()),
  timestamp: optional(v.unknown()),
}

const message = open(
  {
    role: optional(
      about(v.picklist(ROLES, `{field} must be ${list(ROLES)}, found {found}`), 'Who speaks; default: user.'),
    ),
    content: optional(
      v.nullable(
        v.union(
          [text(), v.array(part), part],
          '{field} must be text, a content part or a list of parts, found {found}',
        ),
      ),
    ),
    name: optional(text()),
    tool_calls: optional(v.array(open({}, 'kept'), '{field} must be a list, found {found}')),
    tool_call_id: optional(text()),
    ...OF_OTHERS,
  },
  'passed_on',
  'message index {index}: expected object, found {found}',
)

const input = v.nullable(
  v.union(
    [text(), v.array(message), message],
    'unsupported input type {type}: expected text, a message or a list of messages',
  ),
)

/** The registry knows the fields of each type. */
const assertion = open(
  {
    type: optional(about(text(), 'What is checked, e.g. contains, regex, json_path, tool_called; omitted: equals.')),
    value: optional(v.unknown()),
    path: optional(text()),
    message: optional(about(text(), 'Replaces the failure text.')),
    negate: optional(flag()),
    label: optional(text()),
    weight: optional(numberBetween(0, 1_000_000)),
  },
  'elsewhere',
)

const oneAssertion = v.union(
  [text(), assertion],
  '{field} must be an assertion or the name of an assertion type, found {found}',
)

const assertions = v.union(
  [text(), v.array(oneAssertion), assertion],
  '{field} must be an assertion, the name of an assertion type, or a list of them, found {found}',
)

const attachment = open(
  {
    type: v.picklist(ATTACHMENT_TYPES, `{field} must be ${list(ATTACHMENT_TYPES)}, found {found}`),
    source: optional(about(text(), 'file://path, data: or http(s)://')),
    url: optional(text()),
    name: optional(text()),
    filename: optional(text()),
    detail: optional(v.unknown()),
    format: optional(text()),
    image_url: optional(v.unknown()),
    input_audio: optional(v.unknown()),
    file: optional(v.unknown()),
    file_id: optional(text()),
  },
  'passed_on',
  'attachment index {index}: expected object, found {found}',
)
const attachments = v.array(attachment, '{field} must be a list of attachments, found {found}')

const options = open(
  {
    connector: optional(about(text(), 'The connector of this case, instead of the one of the package.')),
    skip: optional(v.record(v.string(), flag(), '{field} must be an object of booleans, found {found}')),
    search: optional(v.unknown()),
    mode: optional(text()),
    metadata: optional(anyObject()),
    disable_global_prompts: optional(about(flag(), 'Leaves out the prompts of the application.')),
    mock_responses: optional(about(v.unknown(), 'Scripted answers of an orchestrator.')),
    on_exhausted: optional(about(v.unknown(), 'When these run out: stop, or error; default: error.')),
  },
  'passed_on',
)

const call = object({
  tool: about(text(), 'The name of the tool, as the server lists it.'),
  arguments: optional(about(anyObject(), 'Its arguments; default: none.')),
})

const turn = object({
  input: optional(input),
  call: optional(about(call, 'A tool of an MCP server that is called in this turn, in place of an input.')),
  assert: optional(assertions),
  assertions: optional(assertions),
  options: optional(options),
  attachments: optional(attachments),
})

const checkpoint = object({
  id: text(),
  description: optional(text()),
  assertion: optional(oneAssertion),
  assert: optional(oneAssertion),
  after: optional(about(texts(), 'Ids of checkpoints that must be reached first.')),
  required: optional(about(flag(), 'The case passes only if it is reached; default: true.')),
})

const simulator = object({
  use: optional(about(text(), 'Agent id with or without agents:, a scripts: function, or a target.')),
  options: optional(options),
  metadata: optional(about(anyObject(), 'Short for options.metadata: persona, goal, style, max_turns …')),
})

const toolDefinition = open(
  {
    name: about(text(), 'As the expectations name it. Where a vendor does not accept it, another is sent.'),
    description: optional(text()),
    inputSchema: optional(about(anyObject(), 'JSON Schema of the arguments.')),
    input_schema: optional(about(anyObject(), 'The same.')),
    parameters: optional(about(anyObject(), 'The same.')),
  },
  'kept',
)

const expectedTool = v.nullable(
  v.union(
    [
      text(),
      object({
        name: text(),
        arguments: optional(about(anyObject(), 'All of its arguments, as matchers; $optional: may be left out.')),
        arguments_match: optional(
          about(
            v.picklist(['exact', 'subset'], '{field} must be "exact" or "subset", found {found}'),
            'subset: other arguments are fine; default: exact.',
          ),
        ),
      }),
    ],
    '{field} must be the name of a tool, {"name", "arguments"}, or null for no call, found {found}',
  ),
)

const retry = object(
  {
    max_attempts: optional(about(integerBetween(1, 100), 'Attempts in all; default: 3.')),
    backoff_ms: optional(
      about(
        numberBetween(0, 86_400_000),
        'The longest wait before the second attempt, doubled for each further one; default: 1000.',
      ),
    ),
    retry_on: optional(about(texts(), 'Kinds of failure, e.g. timeout, rate_limit, 5xx; default: transient.')),
    no_retry_on: optional(about(texts(), 'Kinds of failure that are never retried.')),
  },
  'ignored',
)

const fixture = v.union(
  [text(), object({ base64: about(text(), 'The bytes of a file that is not text.') })],
  '{field} must be text, or {"base64": …} for a file that is not text, found {found}',
)

const workspace = object({
  fixtures: optional(
    about(
      v.record(v.string(), fixture, '{field} must be an object of files, found {found}'),
      'Files to begin with: path → content, as text or as {"base64": …}. Paths are relative and stay inside.',
    ),
  ),
  scratchpad: optional(about(text(), 'The initial content of .agent/scratchpad.md.')),
  config: optional(about(anyObject(), 'Configuration of an orchestrator; core.scratchpad moves the scratchpad.')),
})

const maxTurns = integerBetween(1, 1000, '{field} must be an integer 1..1000 (leave it out for 20)')

// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u

const id = v.pipe(
  text(),
  v.check((value) => !UNPRINTABLE.test(value), 'control character in {field}: {found}'),
  v.check((value) => value.trim() !== '', '{field} is blank'),
  v.check((value) => value.trim() === '' || value === value.trim(), 'leading/trailing space in {field}: {found}'),
  v.description('Required, unique in the file.'),
)

export const caseSchema = object(
  {
    id,
    name: optional(about(text(), 'For people.')),
    type: optional(about(v.unknown(), 'A hint (single_turn, multi_turn): what runs follows from the other fields.')),
    input: optional(about(input, 'What the agent is asked: text, a message, or messages. null means absent.')),
    call: optional(about(call, 'A tool of an MCP server (-n mcp:…) that is called, in place of an input.')),
    messages: optional(
      about(
        v.array(message, '{field} must be a list of messages, found {found}'),
        'The whole history; wins over input.',
      ),
    ),
    expected: optional(about(v.unknown(), 'The exact answer, used where there is no assertion.')),
    should_trigger: optional(
      about(
        flag(),
        'Of a skill under test: whether this input should make the agent use it; short for a skill_invoked assertion.',
      ),
    ),
    assert: optional(about(assertions, 'What must hold for the answer.')),
    assertions: optional(about(assertions, 'The same as assert.')),
    tools: optional(
      about(
        v.array(toolDefinition, '{field} must be a list of tools, found {found}'),
        'Tools that the model is offered in this case; none of them is run.',
      ),
    ),
    expect_tool: optional(
      about(expectedTool, 'The one call that the model should make: a name, with arguments, or null for no call.'),
    ),
    user: optional(about(text(), 'The test user; default: that of -u.')),
    team: optional(about(text(), 'The test team; default: that of -t.')),
    metadata: optional(about(anyObject(), 'Merged into ctx.metadata.')),
    options: optional(about(options, 'Passed to the agent.')),
    skip: optional(about(flag(), 'Listed as skipped, not run.')),
    skip_reason: optional(about(text(), 'Shown in reports.')),
    timeout: optional(
      about(duration(), 'How long the case may take, e.g. 30s, 2m, 1h30m, 500ms; default: --timeout, else 5m.'),
    ),
    turn_timeout: optional(about(duration(), 'How long one turn may take.')),
    retry: optional(about(retry, 'When and how often the case is tried again.')),
    tags: optional(about(texts(), 'For --tag.')),
    before: optional(about(text(), 'A script function called before the case.')),
    after: optional(about(text(), 'A script function called after the case.')),
    attachments: optional(about(attachments, 'Appended to the last user message.')),
    turns: optional(
      about(v.array(turn, '{field} must be a list of turns, found {found}'), 'The author’s side of a conversation.'),
    ),
    interactive: optional(
      about(
        object(
          {
            enabled: optional(
              about(flag(), 'Ask at the terminal when the agent awaits input; default: --interactive.'),
            ),
            timeout: optional(about(duration(), 'How long a person has for each answer; default: 5m.')),
          },
          'ignored',
        ),
        'A person answers.',
      ),
    ),
    on_missing_input: optional(
      about(
        v.picklist(['skip', 'fail', 'end'], '{field} must be "skip", "fail" or "end", found {found}'),
        'What happens when the agent awaits input and there is none; default: skip, and the run is not green if assertions were left.',
      ),
    ),
    final_assertions: optional(about(assertions, 'Checked when the conversation is over.')),
    simulator: optional(about(simulator, 'An agent that plays the user.')),
    checkpoints: optional(
      about(
        v.array(checkpoint, '{field} must be a list of checkpoints, found {found}'),
        'What must happen along the way.',
      ),
    ),
    max_turns: optional(about(maxTurns, 'The most turns it may take; default: 20.')),
    mutations: optional(
      about(
        object({
          ignore: about(texts(), 'Names of operators, e.g. another language.'),
          reason: about(text(), 'Why they do no harm here.'),
        }),
        'viva mutate: changes that do no harm to this case.',
      ),
    ),
    vacuous: optional(about(text(), 'Why it is right that an agent which does nothing useful passes this case.')),
    min_score: optional(about(share(), 'The weighted share of assertions that must pass: more than 0, at most 1.')),
    recording: optional(
      about(
        object({
          mode: optional(
            about(
              v.picklist(['replay', 'record', 'live'], '{field} must be "replay", "record" or "live", found {found}'),
              'replay: recorded once, never again. record: again whenever something is recorded. live: never kept or replayed.',
            ),
          ),
          max_age: optional(about(age(), 'How long its answers may be used, e.g. 30d.')),
        }),
        'What --record, --replay and --cache do with this case.',
      ),
    ),
    testing: optional(about(object(testingEntries, 'ignored'), 'Tools of this case, and where its state is read.')),
    workspace: optional(
      about(workspace, 'A separate folder for every attempt, in which the agent works; its files can be checked.'),
    ),
  },
  'ignored',
)

/** A case needs one of these. */
export const INPUT_FIELDS = ['input', 'call', 'messages', 'turns', 'simulator'] as const

type Checked = v.InferOutput<typeof caseSchema>
type Assertions = WrittenAssertion | readonly WrittenAssertion[]

/** A case as written, in any accepted spelling. `normalizeCase` turns it into a `TestCase`. */
export interface WrittenCase extends Omit<
  Checked,
  'assert' | 'assertions' | 'final_assertions' | 'turns' | 'checkpoints'
> {
  assert?: Assertions
  assertions?: Assertions
  final_assertions?: Assertions
  turns?: WrittenTurn[]
  checkpoints?: WrittenCheckpoint[]
  description?: unknown
  comment?: unknown
  notes?: unknown
  [key: `_${string}` | `x-${string}`]: unknown
}

export interface WrittenTurn extends Omit<v.InferOutput<typeof turn>, 'assert' | 'assertions'> {
  assert?: Assertions
  assertions?: Assertions
}

export interface WrittenCheckpoint extends Omit<v.InferOutput<typeof checkpoint>, 'assertion' | 'assert'> {
  assertion?: WrittenAssertion
  assert?: WrittenAssertion
}

/** The same schema in another notation, for editors. */
export async function caseJsonSchema(): Promise<Record<string, unknown>> {
  const { toJsonSchema } = await import('@valibot/to-json-schema')
  const schema = toJsonSchema(caseSchema, {
    target: 'draft-2020-12',
    definitions: {
      part,
      message,
      assertion,
      attachment,
      options,
      call,
      turn,
      checkpoint,
      simulator,
      toolDefinition,
      retry,
      workspace,
    },
    errorMode: 'ignore', // rules that JSON Schema cannot express are checked at load only
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'object'
        ? { ...jsonSchema, patternProperties: { [FREE_KEY.source]: {} }, additionalProperties: false }
        : undefined,
  })
  return { ...schema, title: 'Viva test case', anyOf: INPUT_FIELDS.map((field) => ({ required: [field] })) }
}
