// DeepEval goldens: a list of {input, expected_output, expected_tools, …}, or of conversations.
import type { Draft } from '../draft.js'
import { expectCalls, type ExpectedCall } from '../expected-calls.js'
import { recordFormat } from '../format.js'
import { expectText, judgeFor, type ImportOptions } from '../imported.js'
import type { Source } from '../source.js'

const KEPT = [
  'context',
  'retrieval_context',
  'additional_metadata',
  'source_file',
  'comments',
  'custom_column_key_values',
]

export const DEEPEVAL = recordFormat({
  id: 'deepeval',
  label: 'file of DeepEval goldens',
  noun: 'golden',
  around: { list: ['goldens', 'conversational_goldens'], idle: ['alias', 'id', 'name'] },
  is: (record) =>
    !('datasetId' in record || 'dataset_id' in record || 'datasetName' in record || 'prompt' in record) &&
    (('input' in record &&
      ['expected_output', 'expectedOutput', 'expected_tools', 'expectedTools', 'actual_output'].some(
        (name) => name in record,
      )) ||
      ('scenario' in record && !('user_scenario' in record))),
  read: (golden, { options }) => {
    const isConversation = golden.has('scenario') || (golden.has('turns') && !golden.has('input'))
    const draft = isConversation ? conversation(golden) : single(golden, options)
    golden.idle('actual_output', 'tools_called')
    const kept = KEPT.flatMap((name) => {
      const found = golden.data(name)
      return found === undefined || found === '' || (Array.isArray(found) && found.length === 0) ? [] : [[name, found]]
    })
    return { id: golden.text('name'), ...draft, metadata: Object.fromEntries(kept), hasOwnKeys: true }
  },
  note: 'metrics and their thresholds are Python code and not part of the goldens',
})

function single(golden: Source, options: ImportOptions): Draft {
  const input = golden.text('input')
  const expected = golden.text('expected_output')
  const { asserts, lost } = expectCalls((golden.list('expected_tools') ?? []).map(expectedCall))
  return {
    ...(input !== undefined && input !== '' && { input }),
    assert: [...(expected ? [expectText(expected, options)] : []), ...asserts],
    lost,
  }
}

function expectedCall(tool: Source): ExpectedCall {
  if (typeof tool.value === 'string') return { name: tool.take(), args: undefined }
  tool.idle('description', 'reasoning')
  return { name: tool.data('name'), args: tool.data('input_parameters') }
}

/** A user who plays a scenario, or what the user said. */
function conversation(golden: Source): Draft {
  const turns = golden.list('turns') ?? []
  const said = turns.flatMap((turn) => {
    // What an agent did in an earlier conversation is not asked again.
    turn.idle('user_id', 'retrieval_context', 'tools_called', 'additional_metadata', 'comments')
    const content = turn.text('content')
    if (turn.text('role') !== 'user') return []
    if (!content) turn.lose('a message of the user that is not text')
    return content ? [content] : []
  })
  const scenario = golden.text('scenario')
  const persona = golden.text('user_description')
  const outcome = golden.text('expected_outcome')
  return {
    ...(said.length > 0
      ? { turns: said.map((input) => ({ input })) }
      : scenario && {
          simulator: { use: 'viva.user', metadata: { goal: scenario, ...(persona !== undefined && { persona }) } },
        }),
    ...(outcome && { final_assertions: [judgeFor(`The conversation ended like this: ${outcome}`)] }),
    ...(said.length > 0 && scenario && { notes: ['the scenario is not played: the user says what the turns say'] }),
  }
}
