// Replies that look as if they said which tools were called, and assertions that could pass on what was not seen.
import { expect, test } from 'vitest'
import { makeFolder } from '../support/run-cli.js'
import { ANSWERS_ITS_INPUT, verdictsOf } from '../support/attack.js'

const NEVER = { type: 'tool_not_called', name: 'pay' }
const CALLED = { type: 'tool_called', name: 'pay' }
const NO = { type: 'contains', value: 'zzz' }
const SAYS_NOTHING = '{content:"ok"}'
const openai = (message: string) =>
  `{choices:[{message:{role:"assistant",content:"ok",${message}},finish_reason:"stop"}]}`

const REPLIES: ReadonlyArray<[reply: string, verdict: string]> = [
  ['{content:"ok",steps:["think"]}', 'error'],
  ['{content:"ok",steps:[{title:"look"}]}', 'error'],
  ['{content:"ok",steps:[]}', 'error'],
  ['{content:"ok",newItems:[]}', 'error'],
  ['{content:"ok",messages:["hi"]}', 'error'],
  ['{content:"ok",messages:[]}', 'error'],
  ['{content:"ok",messages:[{role:"user",content:"q"}]}', 'error'],
  ['{text:"ok",finishReason:"stop"}', 'error'],
  ['{text:"ok",finishReason:"stop",steps:[{text:"x"}]}', 'error'],
  ['{text:"ok",finishReason:"stop",steps:[{text:"x",toolCalls:[]}]}', 'passed'],
  ['{role:"assistant",stop_reason:"end_turn",content:[{type:"text",text:"ok"}]}', 'error'],
  ['{message:{role:"assistant",content:"ok",tool_calls:null}}', 'error'],
  ['{content:"ok",toolCalls:{}}', 'failed'],
  ['{content:"ok",tool_calls:"none"}', 'failed'],
  ['{content:"ok",tool_calls:[{args:{}}]}', 'failed'],
  ['{content:"ok",tool_calls:[{title:"Paying"}]}', 'failed'],
  ['{content:"ok",tool_calls:["pay"]}', 'failed'],
  ['{content:"ok",tool_calls:[null]}', 'failed'],
  ['{content:"ok",tool_calls:[],toolCalls:[{name:"pay"}]}', 'failed'],
  ['{content:"ok",tool_calls:[],message:{tool_calls:[{name:"pay"}]}}', 'failed'],
  [openai('tool_calls:[],function_call:{name:"pay",arguments:"{}"}'), 'failed'],
  [
    '{text:"ok",finishReason:"stop",toolCalls:[],steps:[{toolCalls:[{toolCallId:"1",toolName:"pay",input:{}}]}]}',
    'failed',
  ],
  ['(async function*(){yield "ok";yield {tool_calls:[{name:"pay"}]}})()', 'failed'],
  ['(async function*(){yield {content:"o",tool_calls:[{name:"find"}]};throw new Error("cut")})()', 'failed'],
]

const ASSERTIONS: ReadonlyArray<[assertion: object, verdict: string]> = [
  [{ type: 'any', assertions: [NEVER, NO] }, 'error'],
  [{ type: 'all', assertions: [NEVER, NO] }, 'failed'],
  [{ type: 'none', assertions: [NEVER] }, 'error'],
  [{ type: 'none', assertions: [{ type: 'none', assertions: [CALLED] }] }, 'error'],
  [{ type: 'none', assertions: [{ type: 'all', assertions: [CALLED, { type: 'contains', value: 'ok' }] }] }, 'error'],
  [{ type: 'any', negate: true, assertions: [CALLED, NO] }, 'error'],
  [{ type: 'tool_sequence', tools: ['pay'], negate: true }, 'error'],
  [{ type: 'tool_sequence', tools: ['pay'], match: 'strict', negate: true }, 'error'],
  [{ type: 'tool_sequence', tools: ['find'], match: 'subset', negate: true }, 'error'],
  [{ type: 'tool_result', tool: 'pay', negate: true }, 'error'],
  [{ ...CALLED, times: 1, negate: true }, 'error'],
  [{ ...CALLED, times: { min: 2 }, negate: true }, 'error'],
  [{ type: 'tool_not_called', name: '*' }, 'error'],
  [{ type: 'snapshot', of: 'tool_calls' }, 'error'],
]

const UNSAID = { input: SAYS_NOTHING }
const SAID = { input: '{content:"ok",tool_calls:[{name:"a"}]}' }
const CONVERSATIONS: ReadonlyArray<[given: object, verdict: string]> = [
  [{ turns: [UNSAID, SAID], final_assertions: [NEVER] }, 'error'],
  [{ turns: [SAID, UNSAID], final_assertions: [NEVER] }, 'error'],
  [{ turns: [SAID, { ...UNSAID, assert: [NEVER] }] }, 'error'],
  [{ turns: [UNSAID, { ...SAID, assert: [NEVER] }] }, 'passed'],
  [{ turns: [UNSAID, SAID], final_assertions: [{ type: 'tool_called', name: 'a', times: 1 }] }, 'error'],
  [{ turns: [UNSAID, SAID], final_assertions: [{ type: 'tool_sequence', tools: ['a'], match: 'strict' }] }, 'error'],
  [{ turns: [UNSAID, SAID], final_assertions: [{ type: 'snapshot', of: 'tool_calls' }] }, 'error'],
  [
    {
      min_score: 0.5,
      turns: [
        { ...UNSAID, assert: [NEVER] },
        { ...SAID, assert: [NEVER] },
      ],
    },
    'error',
  ],
]

test('a function', async () => {
  const cases = [
    ...REPLIES.map(([input]) => ({ input, assert: [NEVER] })),
    ...ASSERTIONS.map(([assertion]) => ({ input: SAYS_NOTHING, assert: [assertion] })),
    ...CONVERSATIONS.map(([given]) => given),
  ]
  const found = await verdictsOf(makeFolder(ANSWERS_ITS_INPUT), cases, './agent.mjs#run', ['-U'])
  const wanted = [...REPLIES, ...ASSERTIONS, ...CONVERSATIONS].map(([given, verdict]) => [given, verdict])
  expect(found.map((verdict, index) => [wanted[index]?.[0], verdict])).toEqual(wanted)
})

/** Prints its input as it is. */
const SAY = `
let text = ''
for await (const chunk of process.stdin) text += chunk
let given
try { given = JSON.parse(text) } catch {}
process.stdout.write((given?.messages ? given.messages.at(-1).content : text).trim())
`

const PRINTED: ReadonlyArray<[text: string, verdict: string]> = [
  ['{"content":"ok","tool_calls":null}', 'error'],
  ['debug\n{"content":"ok","tool_calls":null}', 'error'],
  ['debug\n{"content":"ok","tool_calls":[]}', 'passed'],
  ['{"tool_calls":[{"name":"pay"}]}\n{"content":"ok","tool_calls":[]}', 'failed'],
  ['{"content":"a","tool_calls":[]}\n{"content":"b"}', 'error'],
  ['{"content":"ok","steps":["a"]}', 'error'],
  ['{"type":"result","subtype":"success","result":"ok","is_error":false}', 'error'],
]

test('a program', async () => {
  const cases = PRINTED.map(([input]) => ({ input, assert: [NEVER] }))
  const found = await verdictsOf(makeFolder({ 'say.mjs': SAY }), cases, 'exec:node say.mjs')
  expect(found.map((verdict, index) => [PRINTED[index]?.[0], verdict])).toEqual(PRINTED)
})
