// The same answers judged by promptfoo itself and by the suite that viva import makes of its configuration.
//   (cd bench/peers && npm install --ignore-scripts)
//   node bench/import/verdicts.mjs [folder with node_modules/promptfoo]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../bin/viva.js', import.meta.url))
const peers = process.argv[2] ?? fileURLToPath(new URL('../peers', import.meta.url))

const ANSWERS = [
  'Paris',
  'paris is nice',
  'The capital of France is Paris.',
  'PARIS AND LYON',
  'Lyon, Marseille and Nice',
  'one two three',
  'one two three four five',
  'line one\nline two Paris\nline three',
  '42',
  'true',
  '{"city": "Paris", "size": 2}',
  '{"city":"Paris"}',
  '{"size": "big"}',
  '[1, 2, 3]',
  'Here it is: {"city": "Paris", "size": 2} – enjoy',
  '```json\n{"city": "Paris"}\n```',
  '{"city": "Paris"',
  'null',
  '"Paris"',
  'a.b*c (x) [y] {z} ^$ \\ end',
  'naïve café – “quoted”',
  'İstanbul STRASSE ß',
  'price: $5.00, 10%',
  'Paris Paris Paris',
  ' leading and trailing ',
  '<city><name>Paris</name></city>',
  '<city><name>Paris</city>',
  'the capital of france is paris',
]

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, size: { type: 'number' } },
  required: ['city'],
}

const CHECKS = [
  { type: 'contains', value: 'Paris' },
  { type: 'contains', value: 4 },
  { type: 'contains', value: 'b*c (x) [y]' },
  { type: 'contains', value: '{{answer}}' },
  { type: 'icontains', value: 'PARIS' },
  { type: 'icontains', value: 'strasse' },
  { type: 'icontains', value: 'CAFÉ' },
  { type: 'contains-all', value: ['one', 'three'] },
  { type: 'contains-all', value: 'Paris, nice' },
  { type: 'contains-any', value: ['Lyon', 'Paris'] },
  { type: 'contains-any', value: 'Lyon, "France is Paris", x' },
  { type: 'icontains-all', value: ['paris', 'lyon'] },
  { type: 'icontains-any', value: ['LYON', 'MARSEILLE'] },
  { type: 'equals', value: 'Paris' },
  { type: 'equals', value: 42 },
  { type: 'equals', value: '42' },
  { type: 'equals', value: true },
  { type: 'equals', value: { size: 2, city: 'Paris' } },
  { type: 'equals', value: [1, 2, 3] },
  { type: 'equals', value: 'null' },
  { type: 'starts-with', value: 'The' },
  { type: 'starts-with', value: 'a.b*c (' },
  { type: 'starts-with', value: '{' },
  { type: 'regex', value: '^Paris$' },
  { type: 'regex', value: 'paris' },
  { type: 'regex', value: '(?i)paris' },
  { type: 'regex', value: '^line two.*$' },
  { type: 'regex', value: 'one.*three' },
  { type: 'regex', value: '(?<=is )Paris' },
  { type: 'regex', value: '\\d+%' },
  { type: 'regex', value: '(\\w+) \\1' },
  { type: 'regex', value: '[' },
  { type: 'is-json' },
  { type: 'is-json', value: SCHEMA },
  { type: 'is-json', value: 'required: [size]\ntype: object' },
  { type: 'contains-json' },
  { type: 'contains-json', value: SCHEMA },
  { type: 'word-count', value: 3 },
  { type: 'word-count', value: '5' },
  { type: 'word-count', value: { min: 2, max: 4 } },
  { type: 'word-count', value: { min: 4 } },
  { type: 'levenshtein', value: 'Pariz' },
  { type: 'levenshtein', value: 'one two three', threshold: 2 },
  { type: 'bleu', value: 'The capital of France is Paris' },
  { type: 'bleu', value: ['one two three', 'the capital is paris'], threshold: 0.3 },
  { type: 'gleu', value: 'The capital of France is Paris' },
  { type: 'gleu', value: ['one two three four', 'Lyon, Marseille and Nice'], threshold: 0.6 },
  { type: 'is-xml' },
  { type: 'is-xml', value: 'city.name' },
  { type: 'python', value: "'Paris' in output" },
  { type: 'python', value: 'len(output) / 40', threshold: 0.5 },
  { type: 'python', value: "n = len(output)\nreturn {'pass': n > 5, 'score': n / 100, 'reason': 'x'}" },
  { type: 'javascript', value: 'output.length > 10' },
  { type: 'javascript', value: "output.includes('Paris') ? 0.6 : 0" },
  { type: 'javascript', value: "output.includes('Paris') ? 0.6 : 0.2", threshold: 0.5 },
  { type: 'javascript', value: 'output.length', threshold: 8 },
  { type: 'javascript', value: "const s = 'a;b'; output === 'Paris' || s.length === 9" },
  {
    type: 'javascript',
    value:
      'if (output === "42") {\n  return { pass: true, score: 0.1, reason: "x" }\n}\nreturn { pass: false, score: 1, reason: "y" }',
  },
  { type: 'javascript', value: 'context.vars.answer === output' },
  { type: 'javascript', value: 'JSON.parse(output).city === "Paris"' },
  { type: 'javascript', value: 'output.indexOf("Paris")' },
  { type: 'javascript', value: 'undefined' },
  { type: 'javascript', value: '"yes"' },
  { type: 'javascript', value: 'NaN' },
  { type: 'javascript', value: 'Promise.resolve(output.length > 5)' },
  { type: 'javascript', value: 'this is not code' },
  { type: 'contains', value: 'PARIS', transform: 'output.toUpperCase()' },
  { type: 'equals', value: 'Paris', transform: 'JSON.parse(output).city' },
  { type: 'is-json', transform: 'output.replace(/^[^{]*|[^}]*$/g, "")' },
  { type: 'contains', value: 'Paris', weight: 0 },
]

const both = CHECKS.flatMap((check) => [[check], [{ ...check, type: `not-${check.type}` }]])
const A = { type: 'contains', value: 'Paris' }
const B = { type: 'contains', value: 'one' }
const C = { type: 'icontains', value: 'paris' }
const SETS = [
  [{ type: 'assert-set', assert: [A, B] }],
  [{ type: 'assert-set', threshold: 0.5, assert: [A, B] }],
  [{ type: 'assert-set', threshold: 0.6, assert: [A, B, C] }],
  [{ type: 'assert-set', threshold: 0.34, assert: [A, B, C] }],
  [{ type: 'assert-set', threshold: 1, assert: [A, C] }],
  [{ type: 'assert-set', threshold: 0.7, assert: [{ ...A, weight: 3 }, B] }],
  [{ type: 'assert-set', threshold: 0.25, assert: [{ ...A, weight: 3 }, B] }, B],
  [A, B],
  [{ ...A, weight: 5 }, B],
  [
    {
      type: 'assert-set',
      threshold: 0.45,
      assert: [A, { type: 'javascript', value: 'output.length > 10 ? 0.4 : 0.9' }],
    },
  ],
]
const THRESHOLDS = [
  { threshold: 0.5, assert: [A, B] },
  { threshold: 0.6, assert: [A, B, C] },
  { threshold: 0.75, assert: [{ ...A, weight: 3 }, B] },
  { threshold: 0.2, assert: [{ ...A, weight: 3 }, B] },
  { threshold: 0.5, assert: [{ ...A, weight: 0 }, B] },
  { threshold: 1, assert: [A, C] },
  { threshold: 0, assert: [A] },
  { threshold: 0.5, assert: [{ type: 'javascript', value: 'output.length > 10 ? 0.4 : 1' }, A] },
  { threshold: 0.4, assert: [{ type: 'javascript', value: 'output.length > 10 ? 0.4 : 1', weight: 2 }, A, B] },
  { threshold: 0.7, assert: [A, { type: 'assert-set', assert: [B, C] }] },
  {
    threshold: 0.5,
    assert: [
      { type: 'gleu', value: 'The capital of France is Paris' },
      { type: 'not-bleu', value: 'one two' },
    ],
  },
  {
    threshold: 0.5,
    assert: [{ type: 'assert-set', threshold: 0.9, assert: [B, { type: 'javascript', value: '0.5' }] }, A],
  },
]
const OPTIONS = [
  { options: { transform: 'output.trim().toLowerCase()' }, assert: [{ type: 'contains', value: 'paris' }] },
]

const shapes = [...both, ...SETS].map((assert) => ({ assert })).concat(THRESHOLDS, OPTIONS)
const tests = ANSWERS.flatMap((answer, at) =>
  shapes.map((shape, index) => ({ description: `${at}/${index}`, vars: { answer }, ...shape })),
)

const work = mkdtempSync(join(tmpdir(), 'viva-verdicts-'))
try {
  const config = join(work, 'promptfooconfig.json')
  writeFileSync(config, JSON.stringify({ prompts: ['{{answer}}'], providers: ['echo'], tests }))
  const theirs = verdictsOfPromptfoo(config)
  const ours = verdictsOfViva(config)
  const counts = { same: 0, stricter: new Map(), skipped: new Map(), green: [], alarm: [] }
  const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1)
  for (const { description, assert, threshold, vars } of tests) {
    const [his, mine] = [theirs.get(description), ours.get(description)]
    const what = JSON.stringify({ answer: vars.answer, assert, threshold })
    if (his === undefined || mine === undefined) counts.alarm.push(`no verdict: ${what}`)
    else if (mine.status === 'skipped') count(counts.skipped, mine.skip_reason.replace(/ \([^)]*\)$/, ''))
    else if ((mine.status === 'passed') === his) counts.same += 1
    else if (mine.status === 'passed') counts.green.push(what)
    else if (mine.stricter.length > 0) for (const reason of mine.stricter) count(counts.stricter, reason)
    else counts.alarm.push(what)
  }
  const sum = (map) => [...map.values()].reduce((total, one) => total + one, 0)
  process.stdout.write(
    `${tests.length} tests: ${counts.same} the same, ${sum(counts.skipped)} skipped, ${sum(counts.stricter)} stricter as the import says, ${counts.green.length} passed here and failed there, ${counts.alarm.length} failed here and passed there\n`,
  )
  for (const [reason, times] of counts.skipped) process.stdout.write(`skipped ${times}: ${reason}\n`)
  for (const [reason, times] of counts.stricter) process.stdout.write(`stricter ${times}: ${reason}\n`)
  for (const line of counts.green.slice(0, 40)) process.stdout.write(`PASSED HERE ALONE ${String(line)}\n`)
  for (const line of counts.alarm.slice(0, 40)) process.stdout.write(`failed here alone ${String(line)}\n`)
  process.exitCode = counts.green.length + counts.alarm.length === 0 ? 0 : 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

function verdictsOfPromptfoo(config) {
  const out = join(work, 'out.json')
  const main = join(peers, 'node_modules/promptfoo/dist/src/main.js')
  const flags = [
    'eval',
    '-c',
    config,
    '-o',
    out,
    '--no-cache',
    '--no-table',
    '--no-progress-bar',
    '--no-write',
    '-j',
    '20',
  ]
  const env = {
    ...process.env,
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
    PROMPTFOO_CONFIG_DIR: work,
  }
  const run = spawnSync(process.execPath, [main, ...flags], { encoding: 'utf8', env, maxBuffer: 1 << 28 })
  if (run.status !== 0 && run.status !== 100) throw new Error(`promptfoo: ${run.stderr || run.stdout}`)
  const { results } = JSON.parse(readFileSync(out, 'utf8'))
  return new Map(results.results.map((result) => [result.testCase.description, result.success]))
}

function verdictsOfViva(config) {
  const target = join(work, 'imported')
  const imported = spawnSync(process.execPath, [BIN, 'import', config, '-o', target], { encoding: 'utf8' })
  if (imported.status !== 0) throw new Error(imported.stderr)
  const events = join(work, 'events.jsonl')
  const run = spawnSync(process.execPath, [BIN, 'test', '-i', join(target, 'tests'), '-o', events], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (run.status > 1) throw new Error(run.stderr)
  const lines = readFileSync(events, 'utf8').split('\n')
  const results = lines.filter((line) => line.includes('"type":"result"')).map((line) => JSON.parse(line))
  const cases = readFileSync(join(target, 'tests/cases.jsonl'), 'utf8').trim().split('\n')
  const notes = new Map(cases.map((line) => JSON.parse(line)).map(({ id, metadata }) => [id, metadata?.import ?? []]))
  return new Map(
    results.map(({ id, name, status, skip_reason }) => [
      name,
      { status, skip_reason, stricter: notes.get(id).flatMap(({ reason, stricter }) => (stricter ? [reason] : [])) },
    ]),
  )
}
