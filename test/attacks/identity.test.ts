// Cases that were edited between two runs: what compare calls changed, what it only notes, and what is the same.
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'

const A = { type: 'contains', value: 'say' }
const LONG = { type: 'length', min: 1 }
const turn = { input: 'say it' }
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...LONG, max: 1000 + index }))

const EDITS: Record<string, [before: object, after: object, change: 'changed' | 'added' | 'same']> = {
  'added to a graded case': [
    { min_score: 0.5, assert: [A, LONG] },
    { min_score: 0.5, assert: [A, LONG, A] },
    'changed',
  ],
  added: [{ assert: [A] }, { assert: [A, LONG] }, 'added'],
  removed: [{ assert: [A, LONG] }, { assert: [A] }, 'changed'],
  reordered: [{ assert: [A, LONG] }, { assert: [LONG, A] }, 'same'],
  'a duplicate removed': [{ assert: [A, A] }, { assert: [A] }, 'changed'],
  'one replaced': [{ assert: [A, LONG] }, { assert: [A, A] }, 'changed'],
  'a weight': [
    { min_score: 0.5, assert: [A, LONG] },
    { min_score: 0.5, assert: [{ ...A, weight: 3 }, LONG] },
    'changed',
  ],
  'a lower score': [{ min_score: 0.9, assert: [A, LONG] }, { min_score: 0.1, assert: [A, LONG] }, 'changed'],
  'a score at all': [{ assert: [A, LONG] }, { min_score: 0.1, assert: [A, LONG] }, 'changed'],
  'any of two': [{ assert: [A] }, { assert: [{ type: 'any', assertions: [A, LONG] }] }, 'changed'],
  'one more in any': [
    { assert: [{ type: 'any', assertions: [A] }] },
    { assert: [{ type: 'any', assertions: [A, LONG] }] },
    'changed',
  ],
  negated: [{ assert: [A] }, { assert: [A, { ...A, value: 'zzz', negate: true }] }, 'added'],
  'a timeout': [{ timeout: '30s', assert: [A] }, { timeout: '60s', assert: [A] }, 'changed'],
  retries: [{ assert: [A] }, { assert: [A], retry: { times: 3 } }, 'changed'],
  'an end': [
    { turns: [turn], final_assertions: [A] },
    { turns: [turn], final_assertions: [A], on_missing_input: 'end' },
    'changed',
  ],
  'moved to a turn': [{ turns: [turn], final_assertions: [A] }, { turns: [{ ...turn, assert: [A] }] }, 'changed'],
  'moved to another turn': [
    { turns: [{ ...turn, assert: [A] }, turn] },
    { turns: [turn, { ...turn, assert: [A] }] },
    'changed',
  ],
  'expected dropped': [{ expected: 'say it expected dropped', assert: [A] }, { assert: [A] }, 'changed'],
  'a checkpoint optional': [
    {
      turns: [turn],
      checkpoints: [
        { id: 'c', assert: A },
        { id: 'd', assert: LONG },
      ],
    },
    {
      turns: [turn],
      checkpoints: [
        { id: 'c', assert: A },
        { id: 'd', required: false, assert: LONG },
      ],
    },
    'changed',
  ],
  'a label': [{ assert: [{ ...A, label: 'x' }] }, { assert: [{ ...A, label: 'y' }] }, 'same'],
  'a label inside': [
    { assert: [{ type: 'all', assertions: [{ ...A, label: 'x' }] }] },
    { assert: [{ type: 'all', assertions: [{ ...A, label: 'y', message: 'z' }] }] },
    'same',
  ],
  'negate: false': [{ assert: [A] }, { assert: [{ ...A, negate: false }] }, 'same'],
  'another spelling': [{ assert: A }, { assertions: [A] }, 'same'],
  'tags and a name': [{ assert: [A] }, { assert: [A], tags: ['x'], name: 'n', description: 'd' }, 'same'],
  'one of very many removed': [{ assert: many(26) }, { assert: many(25) }, 'changed'],
  'fewer than very many': [{ assert: many(25) }, { assert: many(24) }, 'changed'],
}

test('compare', async () => {
  const side = (at: 0 | 1) => Object.entries(EDITS).map(([id, edit]) => ({ id, ...asked(id, edit[at]), ...edit[at] }))
  const cwd = makeFolder({ 'before.jsonl': side(0), 'after.jsonl': side(1) })
  const run = (name: string) =>
    viva(['test', '-i', `${name}.jsonl`, '-n', 'builtin:echo', '-o', `${name}-run.jsonl`], { cwd })
  await Promise.all([run('before'), run('after')])
  const compare = ['compare', 'before-run.jsonl', 'after-run.jsonl', '--fail-on', 'regression']
  const [shown, said] = await Promise.all([viva([...compare, '--format', 'json'], { cwd }), viva(compare, { cwd })])
  const { changed_assertions, notes } = JSON.parse(shown.stdout) as {
    changed_assertions: { cases: Array<{ id: string }> }
    notes: string[]
  }
  const changed = new Set(changed_assertions.cases.map(({ id }) => id))
  const added =
    notes
      .find((note) => note.includes('more assertions'))
      ?.split(': ')[1]
      ?.split(', ') ?? []
  const changeOf = (id: string) => (changed.has(id) ? 'changed' : added.includes(id) ? 'added' : 'same')
  const found = Object.keys(EDITS).map((id) => [id, changeOf(id)])
  expect(found).toEqual(Object.entries(EDITS).map(([id, [, , change]]) => [id, change]))
  expect([said.code, said.stderr]).toEqual([1, expect.stringContaining('--allow-changed-cases if that is meant')])
})

function asked(id: string, given: object): object {
  return 'turns' in given ? {} : { input: `say it ${id}` }
}
