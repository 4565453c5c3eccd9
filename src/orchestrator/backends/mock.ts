// `mock`: scripted answers, in order; with `hat` or `trigger_pattern` the first unused one that matches.
import { asText } from '../../base/text.js'
import { defined } from '../../base/defined.js'
import { checkResponses } from '../../connectors/mock-file.js'
import { MockScript, waitFor } from '../../connectors/mock-script.js'
import { normalizeToolCalls } from '../../connectors/tool-calls.js'
import { normalizeUsage } from '../../connectors/usage.js'
import { writeFilesInside } from '../../files/write-inside.js'
import type { MockResponse } from '../../model/connector.js'
import { Exhausted, type Backend, type BackendAnswer } from './backend.js'

export interface MockBackend extends Backend {
  consumed(): number
  remaining(): number
}

const CONVERSATION = 'loop'

/** Throws a UserError that names every response it cannot use. */
export function openMockScript(given: unknown): MockScript {
  return new MockScript(checkResponses(given, 'mock_responses'))
}

export function createMockBackend(script: MockScript, cwd: string): MockBackend {
  const consumed = (): number => script.used(CONVERSATION)
  return {
    name: 'mock',
    reports: ['tokens', 'cost'],
    consumed,
    remaining: () => script.size - consumed(),
    async call({ hat, prompt, signed, signal, onStart, onOutput }) {
      const response = script.take(CONVERSATION, prompt, hat)
      if (!response) throw new Exhausted('MOCK_EXHAUSTED', exhaustedText(hat, script.size, consumed()))
      onStart()
      await waitFor(response, signal)
      if (response.files) writeFilesInside(cwd, response.files)
      const answer = { ...answerOf(response), ...(signed && { unsigned: true }) }
      if (answer.output !== '') onOutput(answer.output, true)
      return answer
    },
  }
}

function answerOf({ output, error, exit_code, usage, tool_calls }: MockResponse): BackendAnswer {
  return {
    output: asText(output ?? ''),
    stderr: '',
    exit_code: exit_code ?? (error === undefined ? 0 : 1),
    tool_calls: normalizeToolCalls(tool_calls),
    // Nothing was paid for.
    cost_dollars: 0,
    ...defined({ usage: normalizeUsage(usage && { input_tokens: 0, output_tokens: 0, ...usage }), error }),
  }
}

function exhaustedText(hat: string, total: number, used: number): string {
  const left = total - used
  return left === 0
    ? `the mock has no response left for the hat "${hat}": all ${total} were consumed`
    : `the mock has no response for the hat "${hat}": ${used} of ${total} were consumed, and no hat or trigger_pattern of the other ${left} matches`
}
