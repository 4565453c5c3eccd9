// The embedded orchestrator in a folder made for one test.
import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { SessionKind, SessionRecord } from '../../src/model/session.js'
import { isKind } from '../../src/model/session.js'
import { parseLoopConfig } from '../../src/orchestrator/config/read-config.js'
import { runLoop } from '../../src/orchestrator/run-loop.js'
import type { LoopResult, RunLoopInit } from '../../src/orchestrator/run-types.js'
import { parseSession } from '../../src/orchestrator/session/read-session.js'
import { Processes } from '../../src/process/processes.js'
import { createRedactor } from '../../src/redact/redactor.js'
import { makeFolder, type Files } from './run-cli.js'

export interface LoopOptions extends Partial<Omit<RunLoopInit, 'config'>> {
  config?: unknown
  files?: Files
  /** The environment of the caller. */
  own?: Record<string, string | undefined>
}

export interface LoopRun extends LoopResult {
  cwd: string
  records: SessionRecord[]
  topics: string[]
}

export async function loop({ config = {}, files, own = process.env, ...init }: LoopOptions = {}): Promise<LoopRun> {
  const cwd = init.cwd ?? makeFolder(files)
  const processes = init.processes ?? new Processes({ env: own, cwd })
  onTestFinished(() => processes.close())
  const result = await runLoop({
    cwd,
    task: 'Build it',
    run_id: 'run-test',
    redactor: createRedactor({ env: own }),
    processes,
    signal: new AbortController().signal,
    ...init,
    config: parseLoopConfig(config, 'config', () => {}),
  })
  const { records } = parseSession(readFileSync(result.session_file, 'utf8'))
  return { ...result, cwd, records, topics: dataOf(records, 'bus.publish').map(({ topic }) => topic) }
}

export function dataOf<Kind extends SessionKind>(
  records: SessionRecord[],
  kind: Kind,
): Array<SessionRecord<Kind>['data']> {
  return records.flatMap((record) => (isKind(record, kind) ? [record.data] : []))
}

export const event = (topic: string, payload = '', target?: string): string =>
  `<event topic="${topic}"${target === undefined ? '' : ` target="${target}"`}>${payload}</event>`
