// Results that are used again: judged again, resumed, merged, run because they failed. Only those of the same test may be.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { surprises } from '../support/attack.js'
import { makeFolder, parseEvents, viva, writeFiles } from '../support/run-cli.js'

vi.setConfig({ testTimeout: 60_000 })

const A = { type: 'contains', value: 'say' }
const NEVER = { type: 'contains', value: 'never' }
const history = (first: string) => [
  { role: 'user', content: first },
  { role: 'assistant', content: 'yes' },
  { role: 'user', content: 'say it' },
]
const image = (url: string) => [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'say it' },
      { type: 'image_url', image_url: { url } },
    ],
  },
]
const file = (name: string, more: object = {}) => ({
  attachments: [{ type: 'file', source: `file://${name}`, ...more }],
})

/** `other`: what is asked has changed; `judged`: only what it is judged by; `same`: neither. */
const EDITS: Record<string, [before: object, after: object, change: 'other' | 'judged' | 'same']> = {
  text: [{}, { input: 'say it!' }, 'other'],
  space: [{}, { input: 'say  it' }, 'other'],
  case: [{}, { input: 'Say it' }, 'other'],
  'an invisible character': [{}, { input: 'say\u200b it' }, 'other'],
  'another normal form': [{ input: 'say caf\u00e9' }, { input: 'say cafe\u0301' }, 'other'],
  'a date': [{ input: 'say 2024-01-01' }, { input: 'say 2031-01-01' }, 'other'],
  'the history': [{ messages: history('hi') }, { messages: history('hey') }, 'other'],
  'the answer in the history': [
    { messages: history('hi') },
    { messages: history('hi').with(1, { role: 'assistant', content: 'no' }) },
    'other',
  ],
  'a system message': [
    { messages: history('hi') },
    { messages: [{ role: 'system', content: 'Be brief.' }, ...history('hi')] },
    'other',
  ],
  'an image': [{ messages: image('https://a.example/1.png') }, { messages: image('https://a.example/2.png') }, 'other'],
  'options.mode': [{}, { options: { mode: 'b' } }, 'other'],
  'options.metadata': [{ options: { metadata: { a: 1 } } }, { options: { metadata: { a: '1' } } }, 'other'],
  metadata: [{ metadata: { a: 1 } }, { metadata: { a: 2 } }, 'other'],
  'metadata in another order': [{ metadata: { a: 1, b: 2 } }, { metadata: { b: 2, a: 1 } }, 'same'],
  'a list in metadata': [{ metadata: { a: [1, 2] } }, { metadata: { a: [2, 1] } }, 'other'],
  user: [{}, { user: 'ann' }, 'other'],
  team: [{ team: 'a' }, { team: 'b' }, 'other'],
  connector: [{}, { options: { connector: 'x' } }, 'other'],
  'a file with other content': [file('a.txt'), file('b.txt'), 'other'],
  'a file of the same content': [file('a.txt'), file('c.txt'), 'same'],
  'a file of another type': [file('a.txt'), file('a.txt', { mime_type: 'text/csv' }), 'other'],
  'a turn more': [{ turns: [{ input: 'say 1' }] }, { turns: [{ input: 'say 1' }, { input: 'say 2' }] }, 'other'],
  'turns in another order': [
    { turns: [{ input: 'say 1' }, { input: 'say 2' }] },
    { turns: [{ input: 'say 2' }, { input: 'say 1' }] },
    'other',
  ],
  'options of a turn': [
    { turns: [{ input: 'say 1' }] },
    { turns: [{ input: 'say 1', options: { mode: 'x' } }] },
    'other',
  ],
  'a variable, unexpanded': [{ metadata: { a: '$ENV.HOME' } }, { metadata: { a: '$ENV.PATH' } }, 'other'],
  'a message for an input': [{}, { messages: [{ role: 'user', content: 'say it' }], input: undefined }, 'other'],
  'a removed assertion': [{ assert: [A, { type: 'length', min: 1 }] }, { assert: [A] }, 'judged'],
  'a timeout': [{ timeout: '9s' }, { timeout: '8s' }, 'judged'],
  'more retries': [{}, { retry: { max_attempts: 3 } }, 'judged'],
  'a name': [{}, { name: 'x', tags: ['t'], description: 'd' }, 'same'],
  nothing: [{}, {}, 'same'],
}
const FILES = { 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'one' }
const KINDS = Object.entries(EDITS).map(([id, [, , change]]) => [id, change] as const)

function side(at: 0 | 1): object[] {
  return Object.entries(EDITS).map(([id, edit]) => {
    const given = { id, input: 'say it', assert: [A], ...edit[at] }
    return 'turns' in given || 'messages' in given ? { ...given, input: undefined } : given
  })
}

const run = (cwd: string, file: string, ...more: string[]) =>
  viva(['test', '-i', file, '-n', 'builtin:echo', ...more], { cwd })

test('answers that are judged again', async () => {
  const cwd = makeFolder({ ...FILES, 'before.jsonl': side(0), 'after.jsonl': side(1) })
  await run(cwd, 'before.jsonl', '-o', 'o.jsonl')
  const { stdout, stderr } = await viva(['test', '-i', 'after.jsonl', '-n', 'recorded:o.jsonl', '--json'], { cwd })
  const results = new Map(parseEvents(stdout).map((event) => [event['id'], event['status']]))
  const found = KINDS.map(([id, change]) =>
    results.get(id) === 'failed'
      ? 'other'
      : results.get(id) === 'passed'
        ? change === 'other'
          ? 'same'
          : change
        : stderr,
  )
  expect(surprises(KINDS, found)).toEqual([])
})

test('what failed last time, or has changed since', async () => {
  const cwd = makeFolder({ ...FILES, 'cases.jsonl': side(0) })
  await run(cwd, 'cases.jsonl', '-o', 'o.jsonl', '--history')
  writeFiles(cwd, { 'cases.jsonl': side(1) })
  const { stdout, stderr } = await run(cwd, 'cases.jsonl', '--last-failed', '--json')
  const again = new Set(parseEvents(stdout).flatMap(({ type, id }) => (type === 'result' ? [id] : [])))
  if (again.size === 0) throw new Error(stderr)
  const found = KINDS.map(([id, change]) => (again.has(id) ? (change === 'same' ? 'run again' : change) : 'same'))
  expect(surprises(KINDS, found)).toEqual([])
})

test('a run that is resumed', async () => {
  const cwd = makeFolder({ ...FILES, 'cases.jsonl': side(0) })
  await run(cwd, 'cases.jsonl', '-o', 'o.jsonl')
  const lines = readFileSync(join(cwd, 'o.jsonl'), 'utf8').split('\n')
  const begun = `${lines.slice(0, 3).join('\n')}\n`
  const edits: Array<[string, string]> = [
    ...KINDS.filter(([, change]) => change !== 'same')
      .map(([id]): [string, string] => [id, 'refused'])
      .slice(0, 12),
    ['nothing', 'resumed'],
    ['a name', 'resumed'],
    ['metadata in another order', 'resumed'],
  ]
  const found: string[] = []
  for (const [id] of edits) {
    const cases = side(0).map((given, index) => ((given as { id: string }).id === id ? side(1)[index] : given))
    writeFiles(cwd, { 'cases.jsonl': cases })
    writeFileSync(join(cwd, 'copy.jsonl'), begun)
    const { code } = await viva(['test', '--resume', 'copy.jsonl'], { cwd })
    found.push(code === 2 ? 'refused' : code === 0 ? 'resumed' : `exit ${code}`)
  }
  expect(surprises(edits, found)).toEqual([])
})

test('shards that are merged', async () => {
  const cases = ['a', 'b', 'c', 'd'].map((id) => ({ id, input: `say ${id}`, assert: [id === 'c' ? NEVER : A] }))
  const weaker = cases.map((given) => ({ ...given, assert: [A] }))
  const cwd = makeFolder({
    'cases.jsonl': cases,
    'weaker/cases.jsonl': weaker,
    'fewer/cases.jsonl': cases.slice(0, 3),
    'agent.mjs': 'export const run = (messages) => "never say " + messages.at(-1).content',
  })
  const shard = (file: string, n: number, args: string[] = [], input = 'cases.jsonl', agent = 'builtin:echo') =>
    viva(['test', '-i', input, '-n', agent, '--shard', `${n}/2`, '--run-group', 'g', '-o', file, ...args], { cwd })
  const others: Array<[string, () => Promise<unknown>]> = [
    ['weaker', () => shard('weaker.jsonl', 2, [], 'weaker/cases.jsonl')],
    ['fewer', () => shard('fewer.jsonl', 2, [], 'fewer/cases.jsonl')],
    ['agent', () => shard('agent.jsonl', 2, [], 'cases.jsonl', './agent.mjs#run')],
    ['filter', () => shard('filter.jsonl', 2, ['--run', '^[abd]$'])],
    ['timeout', () => shard('timeout.jsonl', 2, ['--timeout', '9s'])],
    ['runs', () => shard('runs.jsonl', 2, ['--runs', '2', '--min-pass-rate', '50'])],
    ['user', () => shard('user.jsonl', 2, ['-u', 'ann'])],
    ['locale', () => shard('locale.jsonl', 2, ['--locale', 'de-de'])],
    ['retries', () => shard('retries.jsonl', 2, ['--retries', '2'])],
    ['missing', () => shard('missing.jsonl', 2, ['--on-missing-input', 'skip'])],
    ['chaos', () => shard('chaos.jsonl', 2, ['--chaos', 'slow,rate=0.01'])],
  ]
  await Promise.all([shard('one.jsonl', 1), shard('two.jsonl', 2), ...others.map(([, start]) => start())])
  const merge = async (...files: string[]): Promise<string> => {
    const { code, stderr } = await viva(['merge', ...files, '-o', `m-${files.join('-')}`], { cwd })
    return /code: (DIFFERENT_RUNS|DOUBLED_SHARD|MISSING_SHARD)/.exec(stderr)?.[1] ?? `exit ${code}`
  }
  const wanted = others.map(([name]): [string, string] => [name, 'DIFFERENT_RUNS DIFFERENT_RUNS'])
  const found = await Promise.all(
    others.map(async ([name]) =>
      [await merge('one.jsonl', `${name}.jsonl`), await merge(`${name}.jsonl`, 'one.jsonl')].join(' '),
    ),
  )
  expect(surprises(wanted, found)).toEqual([])
  expect(await merge('one.jsonl', 'two.jsonl')).toBe('exit 1')
  expect(await merge('one.jsonl', 'one.jsonl')).toBe('DOUBLED_SHARD')
  expect(await merge('one.jsonl')).toBe('MISSING_SHARD')
})
