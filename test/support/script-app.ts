// For the tests of this folder: an application in a temporary folder, and its script tests run for real.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { agentContext } from './agent-request.js'
import { createProcesses } from './processes.js'
import { conformanceFile, type ConformanceRow } from './conformance.js'
import type { AgentContext } from '../../src/model/agent.js'
import type { ScriptHandlers, ScriptCheck, ScriptJudge, ScriptOutcome } from '../../src/model/script.js'
import { http } from './http.js'
import { openScripts, type OpenScripts, type ScriptOptions } from '../../src/scripts/host/runtime.js'

export const CONTEXT: AgentContext = agentContext({
  chat_id: 'chat-1',
  assistant_id: 'expense',
  authorized: { user_id: 'test-user', team_id: 'test-team' },
})

export const HANDLERS: ScriptHandlers = {
  process: async (name, args) => ({ name, args }),
}

export interface TestApp {
  root: string
  write(files: Record<string, string>): void
  remove(): void
}

/** `src/x.ts` is short for a file of the agent `expense`. */
export function makeApp(files: Record<string, string>): TestApp {
  const root = mkdtempSync(join(tmpdir(), 'viva-app-'))
  const app: TestApp = {
    root,
    write(given) {
      for (const [name, text] of Object.entries(given)) {
        const path = join(root, name.startsWith('src/') ? `assistants/expense/${name}` : name)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
  app.write(files)
  if (Object.keys(files).some((name) => name.startsWith('src/'))) {
    app.write({ 'assistants/expense/package.yao': '{ "name": "expense" }' })
  }
  return app
}

export interface RunRecord {
  outcomes: Record<string, ScriptOutcome>
  /** `name status` in the order of the verdicts. */
  order: string[]
  errors: { message: string; where: string }[]
}

export interface RunSettings extends Partial<ScriptOptions> {
  timeoutMs?: number
  failFast?: boolean
  signal?: AbortSignal
  context?: AgentContext
  judge?: ScriptJudge
  check?: ScriptCheck
  onStart?(name: string): void
}

export async function runTests(root: string, ref: string, settings: RunSettings = {}): Promise<RunRecord> {
  const scripts = open(root, settings)
  try {
    return await runFound(scripts, ref, settings)
  } finally {
    await scripts.close()
  }
}

export async function runFound(scripts: OpenScripts, ref: string, settings: RunSettings = {}): Promise<RunRecord> {
  const record: RunRecord = { outcomes: {}, order: [], errors: [] }
  for (const file of await scripts.find(ref)) {
    await scripts.runFile({
      file,
      tests: file.tests,
      context: settings.context ?? CONTEXT,
      timeout_ms: settings.timeoutMs ?? 30_000,
      ...(settings.failFast === true && { max_failures: 1 }),
      signal: settings.signal ?? new AbortController().signal,
      judge: settings.judge ?? (async () => ({ passed: true })),
      check: settings.check ?? (async () => []),
      run: 1,
      onStart: (test) => settings.onStart?.(test.name),
      onOutcome(test, outcome) {
        record.outcomes[test.name] = outcome
        record.order.push(`${test.name} ${outcome.status}`)
      },
      onError: (message, where) => record.errors.push({ message, where }),
    })
  }
  return record
}

export function open(root: string, settings: Partial<ScriptOptions> = {}): OpenScripts {
  return openScripts({
    appRoot: root,
    http,
    handlers: HANDLERS,
    poolSize: 2,
    processes: createProcesses(),
    ...settings,
  })
}

/** One test body in a file of its own. */
export async function runBody(
  body: string,
  settings: RunSettings = {},
): Promise<RunRecord & { outcome: ScriptOutcome }> {
  const app = makeApp({ 'src/one_test.ts': `// @ts-nocheck\nasync function TestX(t, ctx) {\n${body}\n}\n` })
  try {
    const record = await runTests(app.root, 'scripts.expense.one', settings)
    const outcome = record.outcomes['TestX']
    if (!outcome) throw new Error('the test has no outcome')
    return { ...record, outcome }
  } finally {
    app.remove()
  }
}

/** What the original implementation does. */
export function conformance(file: string): ConformanceRow[] {
  return conformanceFile(file.replace(/\.jsonl$/, ''))
}
