// Datasets and runs that tracing services export: what was asked, what is expected, or what was answered.
import { isRecord } from '../../base/record.js'
import type { Draft } from '../draft.js'
import { expectCalls, type ExpectedCall } from '../expected-calls.js'
import { recordFormat } from '../format.js'
import { expectText, type ImportOptions } from '../imported.js'
import { lastExchange, readAnything, type Said } from '../messages.js'
import type { Source } from '../source.js'

const REVIEW = 'the assertions are what happened once: review them'

export const LANGSMITH = recordFormat({
  id: 'langsmith',
  label: 'LangSmith dataset',
  around: { list: ['examples'], idle: ['dataset_id', 'name', 'id', 'created_at', 'data_type'] },
  is: (record) => isRecord(record['inputs']) && !('run_type' in record) && !('traj' in record),
  read: (example, { options }) => {
    example.idle('dataset_id', 'created_at', 'modified_at', 'source_run_id', 'dataset_name', 'attachment_urls', 'name')
    example.idle('source_run_start_time', 'source_run_trace_id', 'use_source_run_io', 'dataset')
    const split = example.data('split')
    return {
      id: example.data('id'),
      ...exchange(example, ['inputs'], ['outputs', 'reference_outputs'], options),
      ...(typeof split === 'string' && { tags: [split] }),
    }
  },
})

export const LANGSMITH_RUNS = recordFormat({
  id: 'langsmith-runs',
  label: 'file of LangSmith runs',
  around: { list: ['runs'], idle: ['cursors', 'search_cursors', 'parsed_query'] },
  is: (record) => typeof record['run_type'] === 'string' && 'inputs' in record,
  read: (run, { options, all }) => {
    const id = run.data('id')
    const parent = run.data('parent_run_id')
    if (parent !== undefined && all.some((one) => isRecord(one) && one['id'] === parent)) {
      run.idle(...RUN_KEYS.split(' '))
      return { isPart: true }
    }
    const below = all.filter((one) => isRecord(one) && one['trace_id'] === run.data('trace_id') && one['id'] !== id)
    const calls = [...below, ...nested(run.data('child_runs'))].flatMap((one) =>
      isRecord(one) && one['run_type'] === 'tool' ? [{ name: one['name'], args: one['inputs'] }] : [],
    )
    return { id, ...passRest(run, recorded(run, ['inputs'], ['outputs'], calls, options), RUN_KEYS) }
  },
})

function nested(children: unknown): unknown[] {
  return Array.isArray(children)
    ? children.flatMap((child: unknown) => [child, ...nested(isRecord(child) ? child['child_runs'] : undefined)])
    : []
}

export const LANGFUSE = recordFormat({
  id: 'langfuse',
  label: 'Langfuse dataset',
  around: { list: ['data', 'items'], idle: ['meta', 'name', 'id', 'projectId', 'createdAt', 'updatedAt'] },
  is: (record) =>
    'input' in record &&
    ('datasetId' in record || 'datasetName' in record || ('expectedOutput' in record && 'sourceTraceId' in record)),
  read: (item, { options }) => {
    item.idle('datasetId', 'datasetName', 'createdAt', 'updatedAt', 'projectId', 'sourceTraceId', 'sourceObservationId')
    item.idle('validFrom', 'validTo', 'mediaReferences')
    const draft = exchange(item, ['input'], ['expectedOutput'], options)
    const isOff = item.text('status') === 'ARCHIVED'
    return { id: item.data('id'), ...draft, lost: [...(draft.lost ?? []), ...(isOff ? ['it is archived there'] : [])] }
  },
})

export const LANGFUSE_TRACES = recordFormat({
  id: 'langfuse-traces',
  label: 'file of Langfuse traces',
  experimental: true,
  around: { list: ['data'], idle: ['meta'] },
  is: (record) => 'input' in record && ('observations' in record || 'htmlPath' in record) && 'timestamp' in record,
  read: (trace, { options }) => {
    const observations = trace.data('observations')
    const calls = (Array.isArray(observations) ? observations : []).flatMap((one: unknown) =>
      isRecord(one) && one['type'] === 'TOOL' ? [{ name: one['name'], args: one['input'] }] : [],
    )
    const user = trace.text('userId')
    const draft = passRest(trace, recorded(trace, ['input'], ['output'], calls, options), TRACE_KEYS)
    return { id: trace.data('id'), ...(user !== undefined && { user }), ...draft }
  },
})

export const BRAINTRUST = recordFormat({
  id: 'braintrust',
  label: 'Braintrust dataset',
  around: {
    list: ['events', 'data', 'rows'],
    idle: ['cursor', 'name', 'id', 'project_id', 'schema', 'freshness_state'],
  },
  is: (record) =>
    'input' in record && ['_xact_id', 'root_span_id', 'span_attributes', 'dataset_id'].some((name) => name in record),
  read: (row, { options, all }) => {
    row.idle('_xact_id', '_pagination_key', 'created', 'dataset_id', 'project_id', 'experiment_id', 'log_id', 'org_id')
    row.idle('span_id', 'root_span_id', 'span_parents', 'span_attributes', 'is_root', 'origin', 'metrics', 'context')
    row.idle('scores', 'error', 'audit_data', 'comments', 'facets', 'classifications', '_async_scoring_state')
    const tags = row.list('tags')?.map((tag) => String(tag.take())) ?? []
    const parents = row.data('span_parents')
    const trace = row.data('root_span_id')
    const rows = all.filter((one) => isRecord(one) && trace !== undefined && one['root_span_id'] === trace)
    if (Array.isArray(parents) && rows.some((one) => isRecord(one) && parents.includes(one['span_id']))) {
      row.idle('id', 'input', 'output', 'expected', 'metadata')
      return { isPart: true }
    }
    if (!row.has('expected'))
      return { id: row.data('id'), ...recorded(row, ['input'], ['output'], rows.flatMap(toolSpan), options), tags }
    row.idle('output')
    return { id: row.data('id'), ...exchange(row, ['input'], ['expected'], options), tags }
  },
})

/** A step of a log that is the call of a tool. */
function toolSpan(row: unknown): ExpectedCall[] {
  const about = isRecord(row) ? row['span_attributes'] : undefined
  if (!isRecord(row) || !isRecord(about) || about['type'] !== 'tool') return []
  return [{ name: about['name'], args: row['input'] }]
}

/** Rows for Azure's evaluators. Without a ground truth the response is what happened once. */
export const AZURE = recordFormat({
  id: 'azure',
  label: 'dataset for Azure AI evaluation',
  is: (record) =>
    ('query' in record && ['response', 'ground_truth', 'tool_definitions'].some((name) => name in record)) ||
    (isRecord(record['conversation']) && Array.isArray(record['conversation']['messages'])),
  read: (row, { options }) => {
    row.idle('tool_definitions')
    const id = row.data('id')
    const context = row.data('context')
    const metadata = context === undefined ? {} : { metadata: { context } }
    if (row.has('conversation')) return { id, ...recorded(row, ['conversation'], [], [], options), ...metadata }
    if (!row.has('ground_truth'))
      return { id, ...recorded(row, ['query'], ['response'], [], options), ...metadata, hasOwnKeys: true }
    row.idle('response', 'tool_calls')
    return { id, ...exchange(row, ['query'], ['ground_truth'], options), ...metadata, hasOwnKeys: true }
  },
})

/** Rows of OpenAI's hosted evals: {"item": {…}}. The graders are not part of the file. */
export const OPENAI_ITEMS = recordFormat({
  id: 'openai-items',
  label: 'file of OpenAI Evals items',
  experimental: true,
  is: (record) => isRecord(record['item']),
  read: (row, { options }) => {
    const item = row.object('item')
    row.idle('sample')
    if (!item) return {}
    const names = [
      'reference',
      'ground_truth',
      'correct_label',
      'expected',
      'expected_output',
      'ideal',
      'label',
      'answer',
    ]
    return { ...exchange(item, QUESTIONS, names, options), metadata: item.rest() }
  },
  note: 'testing criteria are not part of the items',
})

/** An input, and what is expected for it. */
function exchange(source: Source, asked: string[], expected: string[], options: ImportOptions): Draft {
  const question = askedOf(source, asked)
  const answer = readAnything(source, expected)
  const last = answer.said?.at(-1)
  const text = answer.text ?? last?.text
  const calls = expectCalls((answer.said ?? []).flatMap((one) => one.calls))
  const metadata = source.object('metadata')?.take()
  return {
    ...question.draft,
    assert: [
      ...calls.asserts,
      ...(text ? [expectText(text, options)] : []),
      ...(answer.data === undefined ? [] : [expectData(answer.data, options)]),
    ],
    lost: calls.lost,
    metadata: { ...question.metadata, ...(isRecord(metadata) && metadata) },
  }
}

/** An input, and what happened. */
function recorded(
  source: Source,
  asked: string[],
  answered: string[],
  calls: ExpectedCall[],
  options: ImportOptions,
): Draft {
  const question = askedOf(source, asked)
  const answer = answered.length === 0 ? {} : readAnything(source, answered)
  const replies: Said[] = answer.said ?? (answer.text ? [{ role: 'assistant', text: answer.text, calls: [] }] : [])
  const reply = lastExchange([...(question.said ?? [{ role: 'user', text: 'x', calls: [] }]), ...replies], options)
  const made = expectCalls(calls)
  const metadata = source.object('metadata')?.take()
  return {
    ...question.draft,
    ...(question.said && { input: undefined, messages: undefined, ...pickAsked(reply) }),
    assert: [
      ...made.asserts,
      ...(reply.assert ?? []),
      ...(answer.data === undefined ? [] : [expectData(answer.data, options)]),
    ],
    lost: [...made.lost, ...(reply.lost ?? [])],
    metadata: { ...question.metadata, ...(isRecord(metadata) && metadata) },
    notes: [REVIEW],
  }
}

function pickAsked({ input, messages }: Draft): Draft {
  return { ...(input !== undefined && { input }), ...(messages && { messages }) }
}

const QUESTIONS = ['question', 'input', 'query', 'prompt', 'text', 'message', 'user_input', 'instruction']

interface Asked {
  draft: Draft
  said?: Said[]
  metadata: Record<string, unknown>
}

function askedOf(source: Source, names: string[]): Asked {
  const { text, said, data } = readAnything(source, names)
  const rest = data === undefined ? {} : { inputs: data }
  if (said) {
    const history = said.filter((one) => one.role !== 'tool' && one.text !== '')
    const [only] = history
    const isPlain = history.length === 1 && only?.role === 'user'
    const messages = history.map(({ role, text: content }) => ({ role, content }))
    return { draft: isPlain ? { input: only.text } : { messages }, said, metadata: rest }
  }
  if (text !== undefined) return { draft: text === '' ? {} : { input: text }, metadata: {} }
  if (data === undefined) return { draft: {}, metadata: {} }
  const key = isRecord(data) ? QUESTIONS.find((name) => typeof data[name] === 'string') : undefined
  if (key === undefined || !isRecord(data)) return { draft: { input: JSON.stringify(data) }, metadata: {} }
  const { [key]: question, ...others } = data
  return { draft: { input: question as string }, metadata: Object.keys(others).length > 0 ? { inputs: others } : {} }
}

/** What is expected where it is not a text. */
function expectData(data: unknown, options: ImportOptions): Record<string, unknown> {
  return options.expect === 'exact' ? { type: 'equals', value: data } : expectText(JSON.stringify(data), options)
}

const RUN_KEYS =
  'id name run_type start_time end_time extra error serialized events inputs outputs reference_example_id parent_run_id parent_run_ids tags ' +
  'trace_id dotted_order session_id session_name child_run_ids child_runs feedback_stats app_path manifest_id status prompt_tokens completion_tokens ' +
  'total_tokens first_token_time prompt_cost completion_cost total_cost in_dataset last_queued_at share_token trace_tier thread_id metadata ' +
  'prompt_token_details completion_token_details prompt_cost_details completion_cost_details latency'
const TRACE_KEYS =
  'id timestamp name input output sessionId userId release version metadata tags public environment observations scores htmlPath latency ' +
  'totalCost createdAt updatedAt projectId externalId bookmarked'

/** Times, costs and scores of a run that is over decide nothing about the next one. What is not known is listed. */
function passRest(source: Source, draft: Draft, known: string): Draft {
  const keys = Object.keys(isRecord(source.value) ? source.value : {})
  const strange = keys.filter((key) => !known.split(' ').includes(key))
  source.idle(...keys.filter((key) => !['inputs', 'outputs', 'input', 'output', 'metadata'].includes(key)))
  return {
    ...draft,
    notes: [
      ...(draft.notes ?? []),
      ...(strange.length > 0 ? [`what is not known was passed over: ${strange.join(', ')}`] : []),
    ],
  }
}
