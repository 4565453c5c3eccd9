// A judge that decides by a rule of the test: what it was asked and shown in, a level out.
import type { Files } from '../support/run-cli.js'

/** `rule`: the body of a function of `criteria` and `data` (what is judged, parsed) that returns 1 to 5. */
export function scriptedJudge(rule: string): Files {
  return {
    'viva.config.json': { helpers: { connector: 'judge' } },
    'connectors/judge.conn.yao': { label: 'judge', type: 'mock', options: { script: 'scripts.judge.Answer' } },
    'scripts/judge.ts': `
function level(criteria: string, data: any): number {
  ${rule}
}
export function Answer({ messages }: { messages: Array<{ content: string }> }) {
  const text = messages.at(-1)!.content
  const criteria = /^Criteria: (.*)$/m.exec(text)![1]!
  const block = /^<data-(\\w+)>\\n(.*)\\n<\\/data-\\1>$/ms.exec(text)![2]!
  const nonce = /"nonce": "([^"]+)"/.exec(text.slice(text.lastIndexOf('Answer with')))![1]
  return { output: JSON.stringify({ reasoning: 'seen: ' + block.length, score: level(criteria, JSON.parse(block)), nonce }) }
}
`,
  }
}
