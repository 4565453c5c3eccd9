// Tool calls as agents write them: understood, or an error with an example; never dropped, so that `tool_not_called` stays honest.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

const FORMS = {
  text: '{"content": "done", "tool_calls": "delete_user"}',
  tool: '{"content": "done", "tool_calls": [{"tool": "delete_user"}]}',
  camel: '{"content": "done", "toolCalls": [{"name": "delete_user"}]}',
  debug: 'loading\\n{"content": "done", "tool_calls": [{"name": "delete_user"}]}',
  near: '{"content": "done", "toolcalls": [{"name": "delete_user"}]}',
  older: '{"content": "done", "function_call": {"name": "delete_user", "arguments": "{}"}}',
  parts: '[{"type": "text", "text": "done"}, {"type": "tool_use", "id": "a", "name": "delete_user", "input": {}}]',
  transcript:
    '{"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "done", "tool_calls": [{"name": "delete_user"}]}]}',
  almost: '{"content": "done", "tool_calls": [{"name": "pay", "argment": {"euros": 1000}}]}',
  unequal: '{"content": "done", "tool_calls": [{"name": "pay", "args": {"euros": 1}, "arguments": {"euros": 1000}}]}',
  outside: '{"content": "done", "tool_calls": [{"function": {"name": "pay"}, "arguments": {"euros": 1000}}]}',
  twice:
    '{"content": "done", "tool_calls": [{"name": "look", "args": {"n": 1}, "arguments": "{\\"n\\": 1}", "input": null}]}',
  none: '{"content": "done", "tool_calls": []}',
}

const HONEST = ['none', 'twice']

test.each([
  ['a program', 'exec:node program.mjs'],
  ['a function', './function.mjs#run'],
])('%s', async (_kind, target) => {
  const cwd = makeFolder({
    'program.mjs': `let text = ''
for await (const chunk of process.stdin) text += chunk
console.log((${JSON.stringify(FORMS)})[JSON.parse(text).messages[0].content].replace('\\\\n', '\\n'))`,
    'function.mjs': `export const run = ([{ content }]) => JSON.parse((${JSON.stringify(FORMS)})[content].split('\\\\n').at(-1))`,
    'cases.jsonl': Object.keys(FORMS).map((id) => ({
      id,
      input: id,
      assert: [
        { type: 'tool_not_called', name: 'delete_user' },
        { type: 'tool_not_called', name: 'pay', arguments: { euros: 1000 } },
      ],
    })),
  })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', target, '--json'], { cwd })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result') as unknown as Array<{
    id: string
    status: string
    error?: string
  }>
  const byId = Object.fromEntries(results.map((result) => [result.id, result]))
  expect(run.code, run.stderr).toBe(1)
  for (const { id, status } of results) expect([id, status]).toEqual([id, HONEST.includes(id) ? 'passed' : 'failed'])
  for (const id of ['text', 'tool', 'near', 'almost', 'unequal'])
    expect(byId[id]?.error).toContain('the tool calls cannot be understood')
})

test('an agent that gives its calls only titles: nothing is shown by name, live, replayed or judged again', async () => {
  const call = { sessionUpdate: 'tool_call', toolCallId: '1', title: 'Writing to hello.txt', kind: 'edit' }
  const wrong = { type: 'tool_not_called', name: 'write_file' }
  const cases = [
    [call, wrong],
    [call, { ...wrong, negate: true }],
    [call, { type: 'none', assertions: [{ type: 'tool_called', name: 'write_file' }] }],
    [call, { type: 'tool_called', name: 'Writing to hello.txt' }],
    [call, { type: 'tool_not_called', name: '*' }],
    [{ ...call, name: 'write_file' }, wrong],
    [
      { ...call, name: 'write_file' },
      { type: 'tool_called', name: 'write_file' },
    ],
    [
      { ...call, name: 'write_file' },
      { type: 'tool_not_called', name: 'delete_file' },
    ],
  ].map(([update, assert], index) => ({ id: `T${index + 1}`, input: JSON.stringify([update]), assert: [assert] }))
  const cwd = makeFolder({ 'cases.jsonl': cases })
  const agent = `acp:node ${fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url))}`
  const unknown = expect.stringContaining('"Writing to hello.txt", has a title but no tool name') as string
  for (const [name, ...args] of [
    ['live', '-n', agent, '--record', 'tape.yaml'],
    ['replayed', '-n', agent, '--replay', 'tape.yaml'],
    ['again', '-n', 'recorded:live.jsonl'],
  ] as const) {
    expect((await viva(['test', '-i', 'cases.jsonl', ...args, '-o', `${name}.jsonl`], { cwd })).code).toBe(1)
    const results = parseEvents(readFileSync(join(cwd, `${name}.jsonl`), 'utf8')).filter(
      ({ type }) => type === 'result',
    )
    for (const result of results.slice(0, 4))
      expect(result).toMatchObject({ error: unknown, error_kind: 'input', status: 'failed' })
    expect(results.slice(4).map(({ status }) => status)).toEqual(['failed', 'failed', 'passed', 'passed'])
  }
})
