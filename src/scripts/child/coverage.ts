// Counts which parts of the user's scripts ran, with V8's own counters. Loaded only when coverage is asked for.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { FunctionCoverage } from '../protocol.js'
import { send } from './channel.js'

interface Session {
  connect(): void
  post(method: string, params?: object, done?: (error: Error | null, result?: unknown) => void): void
}

interface ScriptCoverage {
  url: string
  functions: FunctionCoverage[]
}

let session: Session | undefined

export function startCoverage(): void {
  const inspector = createRequire(process.argv[1] ?? '/')('node:inspector') as { Session: new () => Session }
  session = new inspector.Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

/** Sends what ran since the last time. After every test, so that a later crash does not lose it. */
export function reportCoverage(path: string): void {
  const urls = [path, pathToFileURL(path).href]
  session?.post('Profiler.takePreciseCoverage', undefined, (error, result) => {
    if (error) return
    for (const script of (result as { result: ScriptCoverage[] }).result) {
      if (urls.includes(script.url)) send({ k: 'coverage', path, functions: script.functions })
    }
  })
}
