// `t.assert.Check(subject, assertions)`: the assertions of case files, used by a script on what it has seen.
import { resolve } from 'node:path'
import * as v from 'valibot'
import { readSpans } from '../../agents/reply/read-spans.js'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'
import type { UserError } from '../../errors.js'
import { resolveInside } from '../../files/inside.js'
import type { AgentReply } from '../../model/agent.js'
import type { AssertionResult, AssertServices } from '../../model/assertion.js'
import type { Evidence } from '../../model/evidence.js'
import { scratchpadPath } from '../../model/fixtures.js'
import { toolCall } from '../../model/result-schema.js'
import { sessionEvidence, type SessionEvidence } from '../../model/session-evidence.js'
import type { WorkspaceFiles } from '../../model/workspace.js'
import { parseSession } from '../../orchestrator/session/read-session.js'
import { compileAssertions } from '../../pipeline/assert/compile.js'
import { SpecError } from '../../pipeline/assert/define-assertion.js'
import { evaluate } from '../../pipeline/assert/evaluate.js'
import { outputOf } from '../../pipeline/assert/extract-output.js'
import { lostInAssertions } from '../../pipeline/sources/as-written.js'
import { folderFiles } from '../../workspaces/workspace-files.js'
import {
  asData,
  badEvidence,
  EVIDENCE_FIELDS,
  requireFields,
  TEXT_FIELD,
  type EvidenceField,
} from '../evidence-fields.js'

interface EvidenceContext {
  case_id: string
  /** Workspaces that a script names are inside. */
  root: string
  services: AssertServices
}

/** Throws a UserError for anything that cannot be understood: then nothing was checked. */
export async function checkEvidence(
  subject: unknown,
  assertions: unknown,
  context: EvidenceContext,
): Promise<AssertionResult[]> {
  const specs: unknown[] = Array.isArray(assertions) ? assertions : [assertions]
  if (specs.length === 0) throw wrong('no assertions, so nothing would be checked')
  const compiled = compileAssertions(asWritten(specs), 'assertion')
  const seen = readSubject(asData(subject))
  const { workspace } = seen
  const services = workspace === undefined ? context.services : withFiles(context, workspace)
  return evaluate(compiled, evidenceOf(seen, context.case_id), services)
}

function asWritten(specs: unknown[]): unknown[] {
  const lost = lostInAssertions(specs)
  if (lost) throw new SpecError(`assertion${lost.path}`, `is ${lost.what}`)
  return JSON.parse(JSON.stringify(specs)) as unknown[]
}

/** What a script may say about a run; what it leaves out is unknown, and no assertion on it passes. */
const FIELDS = {
  ...EVIDENCE_FIELDS,
  // `arguments` is another name for `args`: see withArgs.
  tool_calls: {
    ...EVIDENCE_FIELDS.tool_calls,
    schema: v.array(v.looseObject({ ...toolCall.entries, args: v.optional(v.unknown()) })),
  },
  messages: { schema: v.array(v.looseObject({ role: v.string() })), what: 'a list of messages' },
  awaiting_reason: TEXT_FIELD,
  spans: { schema: v.custom((value) => readSpans(value) !== undefined), what: 'a list of spans, or OTLP/JSON' },
  session: {
    schema: v.union([v.string(), v.looseObject({ events: v.array(v.unknown()), iterations: v.array(v.unknown()) })]),
    what: 'the text of a session.jsonl, or what an orchestrator gave back',
  },
  workspace: TEXT_FIELD,
} satisfies Record<string, EvidenceField>

type Seen = Partial<Omit<Evidence, 'session'>> & { session?: SessionEvidence; workspace?: string }

function readSubject(subject: unknown): Seen {
  if (!isRecord(subject)) return { output: subject }
  return isRecord(subject['completion']) ? ofResponse(subject) : ofFields(subject)
}

/** What `Process("agents.….Stream")` and `agent.Call` return. */
function ofResponse(response: Record<string, unknown>): Seen {
  const { tool_calls, content, next } = response
  const calls = Array.isArray(tool_calls) ? (tool_calls as AgentReply['tool_calls']) : []
  const known = Object.entries(FIELDS).flatMap(([key]) => (response[key] === undefined ? [] : [[key, response[key]]]))
  return ofFields({ ...Object.fromEntries(known), output: outputOf({ content, next, tool_calls: calls }) })
}

function ofFields(given: Record<string, unknown>): Seen {
  if (Object.keys(given).length === 0)
    throw wrong('nothing is known about the run: give an answer, or {output, tool_calls, …}')
  requireFields(given, FIELDS)
  const { session, tool_calls, spans, ...rest } = defined(given) as Record<string, unknown> & {
    tool_calls?: Evidence['tool_calls']
  }
  return {
    ...(rest as Seen),
    ...(session !== undefined && { session: readSession(session) }),
    ...(spans !== undefined && { spans: readSpans(spans) ?? [] }),
    ...(tool_calls && { tool_calls: tool_calls.map(withArgs) }),
  }
}

/** Both names are in use. */
function withArgs(call: Evidence['tool_calls'][number] & { arguments?: unknown }): Evidence['tool_calls'][number] {
  const { arguments: other, ...rest } = call
  return rest.args === undefined && other !== undefined ? { ...rest, args: other } : call
}

/** The lines of a `session.jsonl`, or what an orchestrator call has done. */
function readSession(session: unknown): SessionEvidence {
  if (typeof session !== 'string') return session as SessionEvidence
  const { records, problem } = parseSession(session)
  if (problem) throw wrong(`session: line ${problem.line}: ${problem.message}`)
  if (records.length === 0) throw wrong('session: it has no records')
  return sessionEvidence(records)
}

/** Where absence would look like "nothing happened", reading it is an error instead. Hidden from code that lists the fields. */
const NEEDED = { output: 'an answer', tool_calls: 'tool calls', duration_ms: 'a duration' }

function evidenceOf({ workspace: _workspace, ...seen }: Seen, case_id: string): Evidence {
  const evidence = { input: '', messages: [], ...seen, case_id } as unknown as Evidence
  for (const [key, what] of Object.entries(NEEDED)) {
    if (Object.hasOwn(seen, key)) continue
    const get = (): never => {
      throw new Error(`${what} is needed, but none was given: add ${key} to what is checked`)
    }
    Object.defineProperty(evidence, key, { enumerable: false, get })
  }
  return evidence
}

function withFiles({ root, services }: EvidenceContext, folder: string): AssertServices {
  const path = resolveInside(root, resolve(root, folder))
  if (path === undefined) throw wrong(`workspace: ${show(folder, 100)} leads outside the application root`)
  let files: WorkspaceFiles | undefined
  // Methods of a class: a copy would lack them.
  return Object.create(services, {
    workspace: { get: () => (files ??= folderFiles(path, scratchpadPath({}))) },
  }) as AssertServices
}

function wrong(message: string): UserError {
  return badEvidence(message, 'see t.assert.Check in the guide to script tests')
}
