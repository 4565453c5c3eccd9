// Assertions as a test sees them: a spec, what happened, the result.
import { existsSync, readFileSync } from 'node:fs'
import type { AssertionResult } from '../../src/model/assertion.js'
import type { Evidence } from '../../src/model/evidence.js'
import type { FileReading, WorkspaceFiles } from '../../src/model/workspace.js'
import { compileAssertions } from '../../src/pipeline/assert/compile.js'
import type { AssertServices } from '../../src/pipeline/assert/define-assertion.js'
import { evaluate } from '../../src/pipeline/assert/evaluate.js'
import { SearchThread } from '../../src/pipeline/assert/search-thread.js'

/** Evidence with everything a test does not care about filled in. */
export function evidenceOf(over: Partial<Evidence> = {}): Evidence {
  return { output: '', input: 'hi', messages: [], tool_calls: [], duration_ms: 5, case_id: 'T001', ...over }
}

const thread = new SearchThread()

/** Judges of tests are scripted: their verdicts need no nonce. */
export function servicesOf(over: Partial<AssertServices> = {}): AssertServices {
  const { judge = () => Promise.reject(new Error('no judge in this test')) } = over
  return {
    script: () => Promise.reject(new Error('no script in this test')),
    search: (expression, text) => thread.search(expression, text),
    signal: new AbortController().signal,
    ...over,
    judge: (call) => {
      call.onUnsigned?.()
      return judge(call)
    },
  }
}

/** A workspace that holds these: text, or whatever else is at a path. */
export function workspaceOf(files: Record<string, string | FileReading>): WorkspaceFiles {
  return {
    scratchpad: '.agent/scratchpad.md',
    read: async (path) => {
      const found = files[path]
      if (found === undefined) return { kind: 'missing' }
      return typeof found === 'string' ? { kind: 'text', text: found, bytes: found.length } : found
    },
    contents: async () => files,
  }
}

/** The result of one assertion. */
export async function checkOne(
  spec: unknown,
  evidence: Partial<Evidence> = {},
  services: Partial<AssertServices> = {},
): Promise<AssertionResult> {
  const [result] = await evaluate(compileAssertions([spec]), evidenceOf(evidence), servicesOf(services))
  if (!result) throw new Error('no result')
  return result
}

/** Lines of a JSONL file beside the project or in it; none where the file is absent. */
export function readJsonl<T>(url: URL): T[] {
  if (!existsSync(url)) return []
  return readFileSync(url, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}
