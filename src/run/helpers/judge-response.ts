// `t.assert.Agent(response, id, options)`: the `agent` assertion, used by a script.
import type { Evidence } from '../../model/evidence.js'
import type { AssertServices } from '../../pipeline/assert/define-assertion.js'
import { compileAssertions } from '../../pipeline/assert/compile.js'
import { evaluate } from '../../pipeline/assert/evaluate.js'

export async function judgeResponse(
  response: unknown,
  agent: string,
  options: unknown,
  services: AssertServices,
): Promise<{ passed: boolean; score?: number; reason?: string }> {
  const given = typeof options === 'object' && options !== null ? (options as Record<string, unknown>) : {}
  const metadata = (given['metadata'] ?? {}) as Record<string, unknown>
  const compiled = compileAssertions([
    {
      type: 'agent',
      use: agent.includes(':') ? agent : `agents:${agent}`,
      value: given['criteria'] ?? metadata['criteria'],
      options: { metadata, ...(typeof given['connector'] === 'string' && { connector: given['connector'] }) },
      ...(typeof given['threshold'] === 'number' && { threshold: given['threshold'] }),
    },
  ])
  const evidence: Evidence = {
    output: response,
    input: metadata['input'] ?? '',
    messages: [],
    tool_calls: [],
    duration_ms: 0,
    case_id: 'script',
  }
  const [result] = await evaluate(compiled, evidence, services)
  if (!result) throw new Error('no verdict')
  if (result.advice)
    return {
      passed: true,
      reason: `advice of a judge without a licence: ${result.error ?? result.message ?? (result.passed ? 'passed' : 'failed')}`,
    }
  if (result.error !== undefined) throw new Error(result.error)
  return {
    passed: result.passed,
    ...(result.score !== undefined && { score: result.score }),
    ...(result.message !== undefined && { reason: result.message }),
  }
}
