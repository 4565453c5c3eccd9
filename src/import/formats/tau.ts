// tau-bench and tau2: tasks for a simulated user, and runs of them. They are judged by the database at the end, which is as expected if
// the calls that change it are the expected ones, in their order, and there is no other. A call that failed changes nothing.
import { isRecord } from '../../base/record.js'
import type { Draft } from '../draft.js'
import { wantedCalls, type ExpectedCall, type WantedCall } from '../expected-calls.js'
import { recordFormat } from '../format.js'
import { judgeFor, type ImportOptions } from '../imported.js'
import { allTurns, readMessage, type Said } from '../messages.js'
import type { Source } from '../source.js'

const DATABASE = 'the database at the end is not compared: which of its tools change it is not known'

/** What changes the database of a domain, and what only reads it. */
const DOMAINS = [
  {
    writes: [
      'book_reservation',
      'cancel_reservation',
      'send_certificate',
      'update_reservation_baggages',
      'update_reservation_flights',
      'update_reservation_passengers',
    ],
    reads: [
      'get_flight_status',
      'get_reservation_details',
      'get_user_details',
      'list_all_airports',
      'search_direct_flight',
      'search_onestop_flight',
    ],
  },
  {
    writes: [
      'cancel_pending_order',
      'exchange_delivered_order_items',
      'modify_pending_order_address',
      'modify_pending_order_items',
      'modify_pending_order_payment',
      'modify_user_address',
      'return_delivered_order_items',
    ],
    reads: [
      'find_user_id_by_email',
      'find_user_id_by_name_zip',
      'get_item_details',
      'get_order_details',
      'get_product_details',
      'get_user_details',
      'list_all_product_types',
    ],
  },
]
const ANYWHERE = ['calculate', 'think', 'transfer_to_human_agents']

export const TAU_TASKS = recordFormat({
  id: 'tau-bench',
  label: 'list of tau-bench tasks',
  is: (record) => typeof record['instruction'] === 'string' && Array.isArray(record['actions']),
  read: (task, { all }) => tauTask(task, writesOf(all)),
})

function tauTask(task: Source, writes: string[] | undefined): Draft {
  const actions = readActions(task.list('actions') ?? [])
  const { wanted, lost } = wantedCalls(actions)
  const outputs = (task.list('outputs') ?? []).flatMap((output) => {
    const value = output.take()
    return typeof value === 'string' && value !== '' ? [value] : []
  })
  task.idle('annotator', 'task_id')
  const user = task.text('user_id')
  return {
    ...(user !== undefined && { user }),
    simulator: { use: 'viva.user', metadata: { goal: task.text('instruction') ?? '' } },
    final_assertions: [...(writes ? sameDatabase(wanted, writes) : []), ...outputs.map(saying)],
    lost: [...lost, ...(writes ? [] : [DATABASE])],
    notes: outputs.length > 0 ? [LAST_ANSWER] : [],
  }
}

const LAST_ANSWER = 'what must be said is looked for in the last answer; tau-bench looks at all of them'

/** Numbers may have commas. */
function saying(value: string): Record<string, unknown> {
  const grouped = /^\d{4,}$/.test(value) ? value.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : value
  const specs = [...new Set([value, grouped])].map((text) => ({ type: 'contains', value: text, ignore_case: true }))
  return specs.length > 1 ? { type: 'any', assertions: specs } : { ...specs[0] }
}

/** Runs: what the user said is asked again, and what the task expects is expected. */
export const TAU_RUNS = recordFormat({
  id: 'tau-bench-runs',
  label: 'file of tau-bench runs',
  is: (record) => Array.isArray(record['traj']) && 'reward' in record,
  read: (run, { options, all }) => {
    const info = run.object('info')
    const task = run.object('task') ?? info?.object('task')
    info?.idle('reward_info', 'user_cost', 'source', 'error')
    const said = (run.list('traj') ?? []).map(readMessage)
    return {
      id: `task-${run.number('task_id') ?? ''}-trial-${run.number('trial') ?? 0}`,
      ...recordedRun(
        said,
        isOver(said),
        task ? tauTask(task, writesOf(all)) : undefined,
        run.number('reward') === 1,
        options,
      ),
    }
  },
})

/** The words with which a user ends a conversation: nobody answers them. */
const GOODBYE = /###[A-Z-]+###/

const CUT_OFF = 'the run was cut off before its end: what the user would have said next is not known'

/** The user was content, or was handed over to a person. A run that stops anywhere else was cut off, and has failed. */
function isOver(said: readonly Said[]): boolean {
  const last = said.findLast(({ role }) => role !== 'tool')
  return last?.role === 'user'
    ? GOODBYE.test(last.text)
    : (last?.calls.some(({ name }) => name === 'transfer_to_human_agents') ?? false)
}

function recordedRun(
  said: readonly Said[],
  isWhole: boolean,
  task: Draft | undefined,
  passed: boolean,
  options: ImportOptions,
): Draft {
  const heard = said.filter(({ role, text }) => role !== 'user' || !GOODBYE.test(text))
  const { turns, input, lost = [] } = allTurns(heard, options, 'names')
  const asked = turns?.map((turn) => ({ input: turn['input'] })) ?? (input === undefined ? [] : [{ input }])
  return {
    ...(asked.length > 0 && { turns: asked }),
    ...(task?.user !== undefined && { user: task.user }),
    ...(task?.final_assertions && { final_assertions: task.final_assertions }),
    metadata: { passed },
    lost: [...(isWhole ? [] : [CUT_OFF]), ...lost, ...(task?.lost ?? [])],
    notes: [...(task?.notes ?? []), 'the user says what was said in that run, whatever the agent answers'],
  }
}

export const TAU2_TASKS = recordFormat({
  id: 'tau2',
  label: 'list of tau2 tasks',
  is: (record) => isRecord(record['user_scenario']) && 'evaluation_criteria' in record,
  read: (task, { all }) => tau2Task(task, writesOf(all)),
})

function tau2Task(task: Source, writes: string[] | undefined): Draft {
  const scenario = task.object('user_scenario')
  const goal = goalOf(scenario)
  const persona = scenario?.text('persona')
  const { assert, lost } = tau2Criteria(task.object('evaluation_criteria'), writes)
  if (task.has('initial_state') && isRecord(task.data('initial_state')))
    lost.push('initial_state: the database, the tools and the conversation that it begins with')
  task.idle('annotations', 'ticket', 'issues', 'required_documents')
  const about = task.object('description')
  const purpose = about?.text('purpose')
  about?.idle('relevant_policies', 'notes', 'info')
  return {
    id: task.data('id'),
    ...(purpose !== undefined && { name: purpose }),
    simulator: { use: 'viva.user', metadata: { goal, ...(persona !== undefined && { persona }) } },
    final_assertions: assert,
    lost,
  }
}

/** Instructions are a text, or have parts. */
function goalOf(scenario: Source | undefined): string {
  const text = scenario?.text('instructions')
  if (text !== undefined) return text
  const parts = scenario?.object('instructions')
  parts?.idle('domain')
  const said = ['reason_for_call', 'known_info', 'unknown_info', 'task_instructions'].flatMap(
    (name) => parts?.text(name) ?? [],
  )
  return said.join('\n\n')
}

function tau2Criteria(
  criteria: Source | undefined,
  writes: string[] | undefined,
): { assert: Array<Record<string, unknown>>; lost: string[] } {
  const basis = (criteria?.list('reward_basis') ?? []).map((one) => one.take())
  const counts = (name: string): boolean => (basis.length === 0 ? ['DB', 'COMMUNICATE'] : basis).includes(name)
  const actions = criteria?.list('actions') ?? []
  const { wanted, lost } = wantedCalls(readActions(actions))
  const assert: Array<Record<string, unknown>> = []
  if (counts('ACTION') && wanted.length > 0) assert.push({ type: 'tool_sequence', tools: wanted, match: 'superset' })
  if (counts('DB') && writes) assert.push(...sameDatabase(wanted, writes))
  for (const info of criteria?.list('communicate_info') ?? []) {
    const value = info.take()
    if (typeof value === 'string' && value !== '' && counts('COMMUNICATE')) assert.push(saying(value))
  }
  for (const claim of criteria?.list('nl_assertions') ?? []) {
    const value = claim.take()
    if (typeof value === 'string' && value !== '' && counts('NL_ASSERTION')) assert.push(judgeFor(value))
  }
  const environment = criteria?.list('env_assertions') ?? []
  for (const one of environment) one.take()
  if (counts('DB') && !writes) lost.push(DATABASE)
  if (counts('ENV_ASSERTION') && environment.length > 0) lost.push('env_assertions: functions of the environment')
  return { assert, lost }
}

/** What the user does with tools of its own is not the agent's. */
function readActions(actions: Source[]): ExpectedCall[] {
  return actions.flatMap((action) => {
    action.idle('action_id', 'info')
    const compared = action.list('compare_args')?.map((one) => one.take())
    const given = action.data('kwargs', 'arguments')
    const args =
      compared && isRecord(given)
        ? Object.fromEntries(Object.entries(given).filter(([name]) => compared.includes(name)))
        : given
    const name = action.text('name')
    return action.text('requestor') === 'user' ? [] : [{ name, args }]
  })
}

/** The tools that change the database; undefined if the file calls others than those of a known domain. */
function writesOf(all: readonly unknown[]): string[] | undefined {
  const names = [...new Set(all.flatMap(actionNames))]
  const domain = DOMAINS.find(({ writes, reads }) =>
    names.every((name) => [...writes, ...reads, ...ANYWHERE].includes(name)),
  )
  return names.length === 0 ? undefined : domain?.writes
}

function actionNames(record: unknown): string[] {
  if (!isRecord(record)) return []
  const inner = [record['task'], record['info'], record['evaluation_criteria']].flatMap(actionNames)
  const actions: unknown[] = Array.isArray(record['actions']) ? record['actions'] : []
  const own = actions.flatMap((action) =>
    isRecord(action) && typeof action['name'] === 'string' && action['requestor'] !== 'user' ? [action['name']] : [],
  )
  return [...own, ...inner]
}

/** The calls that change the database are these, in this order, and no others. */
function sameDatabase(calls: WantedCall[], writes: string[]): Array<Record<string, unknown>> {
  const made = calls
    .filter(({ name }) => writes.includes(name))
    .map((call) => ({ ...call, ...(call.arguments && { arguments_match: 'exact' }), outcome: 'ok' }))
  if (made.length === 0) return [{ type: 'tool_not_called', name: writes, outcome: 'ok' }]
  return [
    { type: 'tool_sequence', tools: made, match: 'ordered' },
    { type: 'tool_called', name: writes, outcome: 'ok', times: { exact: made.length } },
  ]
}

/** A file of results: tasks, and simulations of them. */
export const TAU2_RUNS = recordFormat({
  id: 'tau2-runs',
  label: 'file of tau2 runs',
  experimental: true,
  around: { list: ['simulations'], idle: ['timestamp', 'info'] },
  is: (record) => 'reward_info' in record && Array.isArray(record['messages']) && 'task_id' in record,
  read: (run, { options, around, all }) => {
    const said = (run.list('messages') ?? []).map((message) => {
      message.idle(
        'turn_idx',
        'cost',
        'usage',
        'raw_data',
        'requestor',
        'error',
        'timestamp',
        'generation_time_seconds',
      )
      message.idle('tool_messages', 'is_audio', 'audio_content', 'audio_format', 'contains_speech')
      return readMessage(message)
    })
    const id = run.data('task_id')
    const tasks = around?.list('tasks')
    const task = tasks?.find(({ value }) => isRecord(value) && value['id'] === id)
    const reward = run.object('reward_info')
    const passed = reward?.number('reward') === 1
    reward?.take()
    const ended = run.text('termination_reason')
    const isWhole = ended === undefined ? isOver(said) : /^(?:user|agent)_stop$/.test(ended)
    run.idle('id', 'timestamp', 'start_time', 'end_time', 'duration', 'agent_cost', 'user_cost')
    run.idle('seed', 'mode', 'review', 'speech_environment', 'hallucination_check')
    return {
      id: `${String(id)}-trial-${run.number('trial') ?? 0}`,
      ...recordedRun(
        said,
        isWhole,
        task && tau2Task(task, writesOf(tasks?.map(({ value }) => value) ?? all)),
        passed,
        options,
      ),
    }
  },
})
