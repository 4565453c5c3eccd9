// A run in which everything an agent, a case or a tool could control tries to break out of the page.
import type { ResultEvent, RunEvent } from '../../src/model/event.js'
import { resultEvent, startEvent, summaryEvent } from './sample-events.js'

export const HOSTILE = [
  '<script>window.FORGED("script")</script>',
  '</script><script>window.FORGED("close")</script>',
  '<!--<script>window.FORGED("comment")</script>-->',
  '<img src=x onerror=window.FORGED("img")>',
  '" onmouseover="window.FORGED(1)" autofocus onfocus="window.FORGED(2)',
  "'><svg/onload=window.FORGED('svg')>",
  '<iframe srcdoc="<script>parent.FORGED(1)</script>"></iframe>',
  '<style>*{background:url(https://evil.example/beacon)}</style>',
  '[click](javascript:window.FORGED("link")) ![x](https://evil.example/beacon.png)',
  'javascript:window.FORGED("href")',
  '<a href="javascript:window.FORGED(3)">here</a>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<base href="https://evil.example/"><link rel=stylesheet href=//evil.example/a.css>',
  '<form action=https://evil.example><button>send</button></form>',
  'invoice\u202egnp.exe and \u2066isolated\u2069 and \u200ezero\u200bwidth',
  'smuggled \u{e0049}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065} text',
  'line\u2028separator\u2029and \u0000nul \u001b[31mred\u0007 \ud800lone',
  '{{constructor.constructor("window.FORGED(4)")()}} ${window.FORGED(5)}',
  '=HYPERLINK("https://evil.example/","x")',
  '+1+cmd|" /C calc"!A0',
  '@SUM(1)',
  '-2+3',
  '__proto__',
  'constructor',
  '| a |\n|---|\n| [b](https://evil.example/row) |',
  '**bold** [link](https://evil.example/click) ![pic](https://evil.example/pixel.png) <img src=x onerror=window.FORGED(6)>',
  '# <img src=x onerror=window.FORGED(7)>\n\n- [x](javascript:window.FORGED`8`)\n\n```html\n<script>window.FORGED(9)</script>\n```',
  '> [q](data:text/html,<script>window.FORGED(10)</script>) __u__ `<svg/onload=window.FORGED(11)>`',
]

function hostileResult(text: string, index: number): ResultEvent {
  const call = { name: text, args: { [text]: text }, id: text, server: text, result: text, error: text }
  const assertion = {
    type: text,
    passed: false,
    label: text,
    value: text,
    path: text,
    expected: text,
    actual: `${text} and more words here`,
    message: text,
    diff: `+${text}\n-${text}`,
    error: text,
    parts: [{ type: text, passed: false, message: text }],
  }
  return {
    ...resultEvent({ id: `${text}#${index}`, name: text, status: 'failed', error: text, error_kind: 'assertion' }),
    input: [
      { role: text, content: text, tool_calls: [{ function: { name: text, arguments: text } }] },
      {
        role: 'user',
        content: [
          { type: text, url: text },
          { type: 'image', source: text, name: text },
          { type: 'text', text },
        ],
      },
    ],
    output: index % 2 === 0 ? text : { [text]: text, __proto__x: text },
    response: text,
    expected: text,
    assertions: [assertion],
    assertion_errors: [`also ${text}`],
    final_assertions: [assertion],
    turns:
      index % 3 === 0
        ? undefined
        : [
            {
              turn: 1,
              input: text,
              input_source: 'simulator',
              status: 'failed',
              output: text,
              tool_calls: [call],
              awaiting_input: true,
              awaiting_reason: text,
              input_hint: text,
              assertions: [assertion],
              error: text,
              skip_reason: text,
              question: text,
              hint: text,
              reasoning: text,
              duration_ms: 1,
            },
          ],
    checkpoints: [
      { id: text, description: text, reached: true, reached_at_turn: 1, passed: false, required: true, message: text },
    ],
    tool_calls: [call],
    finish_reason: text,
    trace: [
      { kind: 'tool', name: text, start_ms: 0, duration_ms: 1, detail: text, error: text },
      {
        kind: 'model',
        name: text,
        start_ms: 1,
        duration_ms: 1,
        sent: [
          { role: 'system', content: text },
          { role: 'developer', prompt: 'p1' },
          { role: text, name: text, content: text },
          { role: 'user', content: [{ type: text, text }] },
        ],
        tools: [text],
        received: { content: text, calls: [text], finish_reason: text },
      },
      { kind: 'hook', name: text, start_ms: 2, duration_ms: 1, returned: { [text]: text } },
    ],
    spans: [
      { name: text, kind: 'other', id: text, parent: text, start_ms: 0, duration_ms: 1, attributes: { [text]: text } },
    ],
    session: {
      iterations: [{ n: 1, hat: text, duration_ms: 1, error: text }],
      events: [
        { topic: text, payload: text, source: text, target: text, iteration: 0 },
        { topic: text, payload: `${text}\n${text}`, source: text, target: null, recipients: [text], iteration: 1 },
      ],
      termination_reason: text,
      message: text,
    },
    changes: [{ path: text, change: 'changed', additions: 1, deletions: 1, diff: `@@\n+${text}\n-${text}` }],
    workspace: text,
    logs: [text],
    warnings: [text],
    leaked: [text],
    stderr: text,
    failure_history: [{ attempt: 1, status: 'failed', error: text, duration_ms: 1 }],
    tags: [text],
    metadata: { [text]: text },
    simulator: text,
    file: text,
    line: 1,
    ...(index % 4 === 0
      ? {
          script: text,
          script_path: text,
          stack: text,
          assertion: { type: text, expected: text, actual: text, message: text },
        }
      : {}),
  } as ResultEvent
}

export function hostileRun(): RunEvent[] {
  const results = HOSTILE.map(hostileResult)
  const everything = HOSTILE.join(' ')
  return [
    startEvent({
      agent_id: everything,
      connector: everything,
      input: everything,
      version: everything,
      environment: { user_id: everything, team_id: everything, locale: everything },
      options: { [everything]: everything },
    }),
    { type: 'prompt', id: 'p1', text: everything },
    ...results,
    { type: 'error', message: everything, where: everything },
    summaryEvent(results, { suggestion: everything, report_errors: [everything], reasons: [everything], exit_code: 3 }),
  ]
}
