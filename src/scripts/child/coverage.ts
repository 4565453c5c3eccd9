// Counts which parts of the user's scripts ran, with V8's own counters. Opens its session before scripts lose theirs.
import inspector from 'node:inspector'
import { pathToFileURL } from 'node:url'
import type { FunctionCoverage } from '../protocol.js'
import { send } from './channel.js'

interface ScriptCoverage {
  url: string
  functions: FunctionCoverage[]
}

type Post = (method: string, params?: object, done?: (error: Error | null, result?: unknown) => void) => void

let post: Post | undefined

export function startCoverage(): void {
  const session = new inspector.Session()
  session.connect()
  post = session.post.bind(session)
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

/** Sends what ran since the last time. Called after every test, so that a later crash does not lose it. */
export function reportCoverage(path: string): void {
  const urls = [path, pathToFileURL(path).href]
  post?.('Profiler.takePreciseCoverage', undefined, (error, result) => {
    if (error) return
    for (const script of (result as { result: ScriptCoverage[] }).result) {
      if (urls.includes(script.url)) send({ k: 'coverage', path, functions: script.functions })
    }
  })
}
