// The server as a whole: its handshake, its lists, what it refuses, and whether it survives a cancelled call.
import { LISTS, type ListKind } from '../mcp-client/list-all.js'
import { specProblems, type SpecType } from '../mcp-client/spec-problems.js'
import type { McpSession } from '../mcp-client/session.js'
import type { Probe } from '../model/contract.js'
import { compareLists, readAgain, readList } from './lists.js'
import { probeOf } from './probe.js'
import { pause } from './prober.js'
import { readersOf } from './reader-state.js'
import { describeServer, type SubjectRun } from './subject-run.js'

const KINDS = Object.keys(LISTS) as ListKind[]

export async function probeHandshake(run: SubjectRun): Promise<void> {
  const { evidence, prober } = run
  const session = await describeServer(run)
  if (!session) return
  evidence.probes.push(probeOf(session.initialized, { purpose: 'start', type: 'InitializeResult' }))
  await prober.send('ping', undefined, { purpose: 'after', why: 'a ping', type: 'EmptyResult' })
  await prober.lastPing()
}

export async function probeLists(run: SubjectRun): Promise<void> {
  const { evidence, limitMs, prober } = run
  const session = await describeServer(run)
  if (!session) return
  for (const kind of KINDS) {
    const one = await readList(session, kind, limitMs)
    for (const page of one.pages.slice(0, MOST_PAGES))
      evidence.probes.push(probeOf(page, { purpose: 'list', why: kind, type: LIST_TYPES[kind] }))
    if (one.pages.length === 0) continue
    evidence.lists.push(compareLists(one, await readAgain(one, limitMs), session))
  }
  await prober.lastPing()
}

/** Of a list that does not end, the first ones show it. */
const MOST_PAGES = 5

const LIST_TYPES = {
  tools: 'ListToolsResult',
  prompts: 'ListPromptsResult',
  resources: 'ListResourcesResult',
  resourceTemplates: 'ListResourceTemplatesResult',
} as const satisfies Record<ListKind, string>

export async function probeRefusals(run: SubjectRun): Promise<void> {
  const { prober } = run
  const session = await describeServer(run)
  if (!session) return
  const { capabilities } = session
  const unknown = (
    why: string,
    method: string,
    params: Record<string, unknown>,
    type: Parameters<typeof specProblems>[0],
  ) => prober.send(method, params, { purpose: 'unknown', why, type })
  await unknown('a method that does not exist', 'viva/no-such-method', {}, 'EmptyResult')
  if ('tools' in capabilities) {
    await unknown(
      'a tool that does not exist',
      'tools/call',
      { name: 'viva_no_such_tool', arguments: {} },
      'CallToolResult',
    )
    await unknown('a call that names no tool', 'tools/call', {}, 'CallToolResult')
  }
  if ('prompts' in capabilities)
    await unknown('a prompt that does not exist', 'prompts/get', { name: 'viva_no_such_prompt' }, 'GetPromptResult')
  if ('resources' in capabilities)
    await unknown(
      'a resource that does not exist',
      'resources/read',
      { uri: 'viva://no/such/resource' },
      'ReadResourceResult',
    )
  await prober.lastPing()
}

export async function probeCancellation(run: SubjectRun): Promise<void> {
  const { evidence, prober, cwd, limitMs, context } = run
  const session = await describeServer(run)
  if (!session) return
  const { items } = await readList(session, 'tools', limitMs)
  const [reader] = readersOf(items, cwd)
  const request: CancelledRequest = reader
    ? { method: 'tools/call', params: reader.params, type: 'CallToolResult' }
    : { method: 'ping', params: {}, type: 'EmptyResult' }
  for (const waitMs of [0, WORKING_MS]) evidence.probes.push(await cancelled(session, request, waitMs, context.signal))
  await session
    .notify('notifications/cancelled', { requestId: 'viva-never-sent', reason: 'there is no such request' })
    // The server has ended: the ping says how.
    .catch(() => {})
  // On this session: another server would answer in the place of one that has ended.
  const ping = await session.request('ping', undefined, { signal: context.signal, timeoutMs: limitMs })
  evidence.probes.push(probeOf(ping, { purpose: 'after', why: 'after calls were cancelled', type: 'EmptyResult' }))
  const after = await readList(session, 'tools', limitMs)
  for (const page of after.pages.slice(0, 1))
    evidence.probes.push(
      probeOf(page, { purpose: 'after', why: 'after calls were cancelled', type: 'ListToolsResult' }),
    )
  await prober.lastPing()
}

/** By then a server has begun to work on a call. */
const WORKING_MS = 50

interface CancelledRequest {
  method: string
  params: Record<string, unknown>
  /** What the answer is if it comes first. */
  type: SpecType
}

async function cancelled(
  session: McpSession,
  { method, params, type }: CancelledRequest,
  waitMs: number,
  outer: AbortSignal,
): Promise<Probe> {
  const own = new AbortController()
  const signal = AbortSignal.any([outer, own.signal])
  const sent = session.request(method, params, { signal, timeoutMs: 5000 })
  if (waitMs > 0) await pause(waitMs)
  own.abort()
  const why = waitMs > 0 ? 'cancelled while it was worked on' : 'cancelled at once'
  return probeOf(await sent, { purpose: 'cancel', why, type })
}
