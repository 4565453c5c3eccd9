// Packages, imports and comparisons that claim more than they can show.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { surprises } from '../support/attack.js'
import { makeFolder, viva, writeFiles } from '../support/run-cli.js'

vi.setConfig({ testTimeout: 60_000 })

/** `loads`, or `refused`: what the package needs and Viva does not have. */
const KEYS: ReadonlyArray<[key: object, wanted: string, without?: string[]]> = [
  [{ uses: { search: 'disabled' } }, 'loads'],
  [{ uses: { search: 'web' } }, 'refused'],
  [{ uses: { search: 'web' } }, 'loads', ['search']],
  [{ uses: { search: 'web', vision: 'x' } }, 'refused', ['search']],
  [{ uses: { search: '' } }, 'loads'],
  [{ uses: { search: true } }, 'refused'],
  [{ uses: {} }, 'loads'],
  [{ uses: null }, 'loads'],
  [{ uses: 'web' }, 'refused'],
  [{ kb: { collections: ['docs'] } }, 'refused'],
  [{ kb: { collections: ['docs'] } }, 'loads', ['kb']],
  [{ kb: { collections: ['docs'] } }, 'refused', ['search']],
  [{ db: { models: ['orders'] } }, 'refused'],
  [{ search: false }, 'loads'],
  [{ search: { web: true } }, 'refused'],
]

test('what a package needs is there, or the report says what it was tested without', async () => {
  const found = await Promise.all(
    KEYS.map(async ([key, , without]) => {
      const cwd = makeFolder({
        'app.yao': {},
        'viva.config.json': without ? { testing: { without } } : {},
        'connectors/model.conn.yao': { type: 'echo', options: {} },
        'assistants/desk/package.yao': { name: 'Desk', connector: 'model', ...key },
        'assistants/desk/prompts.yml': '- content: Be brief.\n',
        'in.jsonl': [{ id: 'a', input: 'a', assert: [{ type: 'contains', value: 'a' }] }],
      })
      const { code, stdout, stderr } = await viva(['test', '-i', 'in.jsonl', '-n', 'desk', '-o', 'o.md'], { cwd })
      if (code === 2) return 'refused'
      const report = readFileSync(join(cwd, 'o.md'), 'utf8')
      const isSaid = without?.every((name) => [report, stdout + stderr].every((text) => text.includes(name))) ?? true
      return code === 0 && isSaid ? 'loads' : `exit ${code}: ${stdout}${stderr}`
    }),
  )
  expect(surprises(KEYS, found)).toEqual([])
})

const yes = { type: 'contains', value: 'yes' }
const suite = (more: object) => ({
  prompts: ['say {{x}}'],
  providers: ['echo'],
  tests: [{ vars: { x: 'yes' }, assert: [yes] }],
  ...more,
})

/** Suites of promptfoo that are not green there, or lose something on the way: never "everything", never exit 0. */
const SUITES: Record<string, object> = {
  'a second prompt': suite({ prompts: ['say {{x}}', 'say no'] }),
  'a prompt with a filter': suite({ prompts: ['say {{x}}', 'no {{ x | urlencode }}'] }),
  'a prompt of a program': suite({ prompts: ['exec:./prompt.sh'] }),
  'a prompt of a program, and what it does not say': suite({
    prompts: ['exec:./prompt.sh'],
    tests: [{ vars: { x: 'yes' }, assert: [{ type: 'not-contains', value: 'yes' }] }],
  }),
  'a prompt in a missing file': suite({ prompts: ['file://nowhere.txt'] }),
  'a misspelt key': suite({ tests: [{ vars: { x: 'yes' }, asserts: [{ type: 'contains', value: 'no' }] }] }),
  'a misspelt key above': { ...suite({}), defaultTests: { assert: [{ type: 'contains', value: 'no' }] } },
  'an unknown assertion': suite({ tests: [{ vars: { x: 'yes' }, assert: [yes, { type: 'is-lovely' }] }] }),
  'a transform': suite({ tests: [{ vars: { x: 'yes' }, assert: [yes], options: { transform: 'output.slice(9)' } }] }),
  'a default transform': suite({ defaultTest: { options: { transform: '"no"' } } }),
  'a default assertion': suite({ defaultTest: { assert: [{ type: 'contains', value: 'no' }] } }),
  'a missing variable': suite({ tests: [{ vars: {}, assert: [{ type: 'contains', value: 'yes' }] }] }),
  'an unknown provider': suite({ providers: ['nowhere:model'] }),
  'a scenario': {
    ...suite({}),
    tests: undefined,
    scenarios: [{ config: [{ vars: { x: 'no' } }], tests: [{ assert: [yes] }] }],
  },
  'a threshold': suite({
    tests: [{ vars: { x: 'yes' }, threshold: 1, assert: [yes, { type: 'contains', value: 'no' }] }],
  }),
  'a negation': suite({ tests: [{ vars: { x: 'yes' }, assert: [{ type: 'not-contains', value: 'yes' }] }] }),
  'variables in a file': suite({ tests: 'file://nowhere.csv' }),
  'a list of values': suite({ tests: [{ vars: { x: ['yes', 'no'] }, assert: [yes] }] }),
  'an expected number': suite({ tests: [{ vars: { x: 'yes' }, assert: [{ type: 'equals', value: 1.0 }] }] }),
}

test('imported suites are never greener', async () => {
  const names = Object.keys(SUITES)
  const found = await Promise.all(
    names.map(async (name) => {
      const cwd = makeFolder()
      writeFiles(cwd, { 'promptfooconfig.json': SUITES[name] ?? {} })
      const imported = await viva(['import', 'promptfooconfig.json', '-o', 'in'], { cwd })
      if (imported.code !== 0) return []
      const claims = /everything was carried over/i.test(imported.stdout + imported.stderr)
      const ran = await viva(['test', '-i', 'in/tests/cases.jsonl'], { cwd })
      return ran.code === 0 ? [`${name}: green${claims ? ', and "everything was carried over"' : ''}`] : []
    }),
  )
  expect(found.flat()).toEqual([])
})

const CASES = Array.from({ length: 6 }, (_, index) => ({
  id: `T${index}`,
  input: 'x',
  assert: [{ type: 'contains', value: 'ok' }],
}))
const AGENT = `export const run = () => 'ok'\nexport const worse = () => 'no'`
/** Plans of two runs, and whether they can be compared as they are. */
const PLANS: ReadonlyArray<[before: string[], after: string[], wanted: 'same' | 'told']> = [
  [['--runs', '5'], ['--runs', '5'], 'same'],
  [['--runs', '5'], ['--runs', '3'], 'same'],
  [['--runs', '5'], ['--runs', 'auto', '--max-runs', '8'], 'told'],
  [['--runs', 'auto', '--max-runs', '8'], ['--runs', 'auto', '--max-runs', '6'], 'told'],
  [['--runs', 'auto', '--max-runs', '8'], ['--runs', 'auto', '--max-runs', '8', '--threshold', '50'], 'told'],
]

test('two plans of runs', async () => {
  const found = await Promise.all(
    PLANS.map(async ([before, after]) => {
      const cwd = makeFolder({ 'agent.mjs': AGENT, 'in.jsonl': CASES })
      const run = (file: string, more: string[]) =>
        viva(['test', '-i', 'in.jsonl', '-n', './agent.mjs#run', '-o', file, ...more], { cwd })
      await Promise.all([run('a.jsonl', before), run('b.jsonl', after)])
      const { code, stdout, stderr } = await viva(['compare', 'a.jsonl', 'b.jsonl', '--fail-on', 'regression'], { cwd })
      if (code === 1) return `exit 1: ${stdout}${stderr}`
      return code === 2 || /first \d+ runs|run plan|--runs/.test(stdout + stderr) ? 'told' : 'same'
    }),
  )
  expect(
    surprises(
      PLANS.map(([a, b, wanted]) => [[...a, '/', ...b].join(' '), wanted] as const),
      found,
    ),
  ).toEqual([])
})
