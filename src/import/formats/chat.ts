// Chat transcripts: {"messages": […]} with the ideal answer at the end, or {"input": …, "ideal": …} as OpenAI Evals has it.
import { isRecord } from '../../base/record.js'
import type { Draft } from '../draft.js'
import { recordFormat } from '../format.js'
import { expectText, type ImportOptions } from '../imported.js'
import { lastExchange, readMessage } from '../messages.js'
import type { Source } from '../source.js'

export const CHAT = recordFormat({
  id: 'chat',
  label: 'chat JSONL file',
  is: (record) =>
    Array.isArray(record['messages']) &&
    record['messages'].every((message) => isRecord(message) && 'role' in message) &&
    !['traj', 'steps', 'run_type', 'inputs', 'reward_info', 'trajectory_format'].some((name) => name in record),
  read: readLine,
})

export const OPENAI_SAMPLES = recordFormat({
  id: 'openai-evals',
  label: 'file of OpenAI Evals samples',
  is: (record) => 'input' in record && 'ideal' in record,
  read: readLine,
  note: 'how the answer was compared (Match, Includes …) is not in the samples: choose with --expect',
})

function readLine(line: Source, { options }: { options: ImportOptions }): Draft {
  const isChat = line.has('messages')
  const text = isChat ? undefined : line.text('input')
  const list = line.list(isChat ? 'messages' : 'input') ?? []
  const said = text === undefined ? list.map(readMessage) : [{ role: 'user', text, calls: [] }]
  const isBeside = isChat && line.has('input')
  if (isBeside) line.idle('input')
  const id = line.data('id', 'custom_id')
  const metadata = line.object('metadata')?.take()
  const about = {
    id,
    ...(isRecord(metadata) && { metadata }),
    hasOwnKeys: true as const,
    lost: isBeside ? ['an input beside the messages'] : [],
  }
  if (!line.has('ideal')) {
    const draft = lastExchange(said, options)
    return { ...about, ...draft, lost: [...about.lost, ...(draft.lost ?? [])] }
  }
  const history = said.filter((one) => one.text !== '')
  const [only] = history
  const isPlain = history.length === 1 && only?.role === 'user'
  return {
    ...about,
    ...(isPlain
      ? { input: only.text }
      : history.length > 0 && { messages: history.map((one) => ({ role: one.role, content: one.text })) }),
    assert: idealsOf(line, options),
  }
}

/** Of several, one is enough. */
function idealsOf(line: Source, options: ImportOptions): Array<Record<string, unknown>> {
  const only = line.text('ideal')
  const texts = only === undefined ? (line.list('ideal') ?? []).flatMap(textOf) : [only]
  const specs = texts.filter((text) => text !== '').map((text) => expectText(text, options))
  return specs.length > 1 ? [{ type: 'any', assertions: specs }] : specs
}

function textOf(one: Source): string[] {
  return typeof one.value === 'string' ? [one.take() as string] : []
}
