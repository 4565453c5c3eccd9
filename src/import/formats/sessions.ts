// Sessions of coding agents: what the user asked, turn by turn; which tools were used and what was answered is there to review.
import { isRecord } from '../../base/record.js'
import type { Draft } from '../draft.js'
import { recordFormat } from '../format.js'
import type { ImportOptions } from '../imported.js'
import { allTurns, readContent, readMessage, type Said } from '../messages.js'
import type { Source } from '../source.js'

const REVIEW = 'the assertions are what happened once: review them; which tools were used, not with what'

function sessionDraft(said: Said[], options: ImportOptions, metadata: Record<string, unknown>, notes: string[]): Draft {
  return { ...allTurns(said, options, 'names'), metadata, notes: [...notes, REVIEW] }
}

/** Lines that hold no part of the conversation. */
const CLAUDE_SIDE = new Set([
  'agent-name',
  'attachment',
  'custom-title',
  'file-history-snapshot',
  'last-prompt',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'summary',
  'system',
])

export const CLAUDE_SESSION = recordFormat({
  id: 'claude-code',
  label: 'Claude Code session',
  isWhole: true,
  is: (_, all) =>
    all.some((line) => isRecord(line) && 'sessionId' in line && isRecord(line['message']) && 'uuid' in line),
  read: (session, { options }) => {
    const strange = new Set<string>()
    let id: unknown
    const said = session.elements().flatMap((line): Said[] => {
      const type = line.text('type') ?? ''
      id ??= line.data('sessionId')
      if (type !== 'user' && type !== 'assistant') {
        if (!CLAUDE_SIDE.has(type)) for (const key of type === '' ? passEnvelope(line) : [type]) strange.add(key)
        line.take()
        return []
      }
      // What a sub-agent was told, and what the program put into the user's mouth.
      const isOwn = line.data('isSidechain') !== true && line.data('isMeta') !== true
      const message = line.object('message')
      if (!isOwn || !message) {
        if (isOwn) for (const key of passEnvelope(line)) strange.add(key)
        line.take()
        return []
      }
      message.idle('model', 'stop_reason', 'stop_sequence', 'stop_details', 'usage', 'container', 'context_management')
      message.idle('diagnostics')
      const one = readMessage(message)
      for (const key of passEnvelope(line)) strange.add(key)
      // Output of local commands and of the interface stands in tags.
      return one.role === 'user' && /^<(?:command-|local-command|bash-|system-reminder)/.test(one.text) ? [] : [one]
    })
    return { id, ...sessionDraft(said, options, {}, unknownNote(strange)) }
  },
})

/** Around a message there is the state of the program, which says nothing about what was said. Gives the keys that are not known. */
function passEnvelope(line: Source): string[] {
  const keys = Object.keys(isRecord(line.value) ? line.value : {})
  line.idle(...keys.filter((key) => key !== 'message'))
  return keys.filter((key) => !CLAUDE_KEYS.has(key))
}

const CLAUDE_KEYS = new Set(
  (
    'agentId cwd entrypoint gitBranch isApiErrorMessage isCompactSummary isMeta isSidechain isVisibleInTranscriptOnly level message ' +
    'imagePasteIds logicalParentUuid origin parentUuid permissionMode planContent promptId requestId sessionId slug sourceToolAssistantUUID ' +
    'sourceToolUseID teamName thinkingMetadata timestamp todos toolUseID toolUseResult type userType uuid version mcpMeta'
  ).split(' '),
)

function unknownNote(types: Set<string>): string[] {
  return types.size === 0 ? [] : [`what is not known was passed over: ${[...types].join(', ')}`]
}

const CODEX_SIDE = new Set([
  'session_meta',
  'turn_context',
  'compacted',
  'event_msg',
  'world_state',
  'token_usage_record',
])
const CODEX_KEYS = new Set(['timestamp', 'type', 'payload', 'ordinal', 'metadata'])
const CODEX_META_KEYS = new Set(
  (
    'account_scoped agent_nickname agent_role base_instructions cli_version context_window cwd dynamic_tools forked_from_id git ' +
    'history_mode id instructions memory_mode model model_provider originator runtime_workspace_roots session_id source thread_source timestamp'
  ).split(' '),
)
/** Around what was said, or what a tool was called with. */
const CODEX_ITEM_KEYS = new Set(
  (
    'type role content id status phase end_turn metadata name call_id arguments input action execution namespace ' +
    'internal_chat_message_metadata_passthrough'
  ).split(' '),
)
const CODEX_CALLS = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'web_search_call',
  'tool_search_call',
])
const CODEX_RESULTS = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'reasoning',
  'ghost_snapshot',
  'tool_search_output',
])

export const CODEX_SESSION = recordFormat({
  id: 'codex',
  label: 'Codex session',
  isWhole: true,
  is: (_, all) => all.some((line) => isRecord(line) && line['type'] === 'session_meta' && isRecord(line['payload'])),
  read: (session, { options }) => {
    const strange = new Set<string>()
    let id: unknown
    const said = session.elements().flatMap((line): Said[] => {
      line.idle('timestamp', 'ordinal')
      for (const key of Object.keys(isRecord(line.value) ? line.value : {})) if (!CODEX_KEYS.has(key)) strange.add(key)
      const type = line.text('type') ?? ''
      const payload = line.object('payload')
      if (type === 'session_meta') {
        id ??= payload?.data('id')
        for (const key of Object.keys(isRecord(payload?.value) ? payload.value : {}))
          if (!CODEX_META_KEYS.has(key)) strange.add(key)
      }
      if (type !== 'response_item' || !payload) {
        if (!CODEX_SIDE.has(type)) strange.add(type)
        line.take()
        return []
      }
      line.idle(...Object.keys(isRecord(line.value) ? line.value : {}).filter((key) => key !== 'payload'))
      return readItem(payload, strange)
    })
    return { id, ...sessionDraft(said, options, {}, unknownNote(strange)) }
  },
})

function readItem(item: Source, strange: Set<string>): Said[] {
  const type = item.text('type') ?? ''
  if (type === 'message') {
    const calls: Said['calls'] = []
    const role = item.text('role') ?? ''
    const text = readContent(item, 'content', calls).join('\n')
    passItem(item, strange)
    // What the program tells the model in the user's name stands in tags, or is the project's instructions.
    const isOwn = role === 'assistant' || (role === 'user' && !/^(?:<[a-z_]+>|# AGENTS\.md )/.test(text))
    return isOwn ? [{ role, text, calls }] : []
  }
  if (CODEX_CALLS.has(type)) {
    const name = item.text('name') ?? type.replace(/_call$/, '')
    passItem(item, strange)
    return [{ role: 'assistant', text: '', calls: [{ name, args: undefined }] }]
  }
  if (!CODEX_RESULTS.has(type))
    for (const key of type === '' ? Object.keys(isRecord(item.value) ? item.value : {}) : [type]) strange.add(key)
  item.take()
  return []
}

/** What stands beside it is the state of the program. */
function passItem(item: Source, strange: Set<string>): void {
  const keys = Object.keys(isRecord(item.value) ? item.value : {})
  item.idle(...keys.filter((key) => !['type', 'role', 'content', 'name'].includes(key)))
  for (const key of keys) if (!CODEX_ITEM_KEYS.has(key)) strange.add(key)
}

/** Agent Trajectory Interchange Format. */
export const ATIF = recordFormat({
  id: 'atif',
  label: 'ATIF trajectory',
  is: (record) => typeof record['schema_version'] === 'string' && record['schema_version'].startsWith('ATIF-'),
  read: (trajectory, { options }) => {
    const id = trajectory.data('session_id', 'trajectory_id')
    trajectory.idle(
      'schema_version',
      'agent',
      'final_metrics',
      'trajectory_id',
      'notes',
      'extra',
      'continued_trajectory_ref',
    )
    const lost: string[] = []
    if (trajectory.has('subagent_trajectories')) trajectory.idle('subagent_trajectories')
    const said = (trajectory.list('steps') ?? []).flatMap((step): Said[] => {
      step.idle('step_id', 'timestamp', 'model_name', 'reasoning_effort', 'reasoning_content', 'observation', 'metrics')
      step.idle('extra', 'is_copied_context', 'llm_call_count')
      const calls: Said['calls'] = []
      const text = readContent(step, 'message', calls).join('\n')
      for (const call of step.list('tool_calls') ?? []) {
        call.idle('tool_call_id', 'extra')
        calls.push({ name: call.text('function_name'), args: call.data('arguments') })
      }
      const source = step.text('source')
      if (source === undefined || !['user', 'agent', 'system'].includes(source))
        lost.push('a step of an unknown source')
      return source === 'system' ? [] : [{ role: source === 'user' ? 'user' : 'assistant', text, calls }]
    })
    const draft = sessionDraft(said, options, {}, [])
    return { id, ...draft, lost: [...(draft.lost ?? []), ...lost] }
  },
})
