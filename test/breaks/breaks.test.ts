// A case that passes, with one thing broken: it is refused, it fails, or a warning names what is broken.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { breaksOf, type Break } from '../support/break-json.js'
import { tempDir } from '../support/case-files.js'
import { playSample, recordSample, type Outcome } from '../support/sensitive-case.js'
import { makeFolder, viva } from '../support/run-cli.js'
import { SAMPLES } from './samples.js'

/** What cannot be noticed, by the last name of the field. What is sent to agents and helpers, they have to notice. */
const UNNOTICED: Record<string, { why: string; when?: (broken: Break, written: unknown) => boolean }> = {
  id: { why: 'a name: any will do that is not taken' },
  name: { why: 'for people', when: ({ path }) => path.length === 1 },
  tags: { why: 'for --tag' },
  label: { why: 'for people' },
  skip_reason: { why: 'for people, of a case that is skipped' },
  enabled: { why: 'where nobody sits at a terminal nobody is asked' },
  message: { why: 'for people' },
  description: { why: 'for people, and free everywhere' },
  value: { why: 'what must not be there is not there under another name either', when: isAboutAbsence },
  path: { why: 'as value, with exists: false', when: isAboutAbsence },
}

test('there are few exceptions, each with a reason', () => {
  expect(Object.keys(UNNOTICED).length).toBeLessThanOrEqual(10)
  for (const { why } of Object.values(UNNOTICED)) expect(why).not.toBe('')
})

test('2,000 random breaks: none goes unnoticed', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'cover.png'), 'png')
  const samples = await Promise.all(
    SAMPLES.map(async (sample) => ({ sample, sensitive: await recordSample(sample, dir) })),
  )
  const anyBreak = fc
    .constantFrom(...samples)
    .chain((each) => breaksOf(each.sample.written).map((broken) => ({ ...each, broken })))
  let noticed = 0
  await fc.assert(
    fc.asyncProperty(anyBreak, async ({ sample, sensitive, broken }) => {
      fc.pre(!isException(broken, sample.written))
      const outcome = await playSample(sample, sensitive, broken.broken, dir)
      expect(isNoticed(outcome, broken), JSON.stringify({ sample: sample.name, broken, outcome })).toBe(true)
      noticed++
    }),
    { numRuns: 2000, maxSkipsPerRun: 10, seed: 1215 },
  )
  expect(noticed).toBe(2000)
}, 300_000)

test('what is excepted goes unnoticed indeed', async () => {
  const dir = tempDir()
  for (const [name, written] of [
    ['id', { id: 'U1', input: 'x', expected: 'y' }],
    ['tags', { id: 'T1', input: 'x', expected: 'y', tags: ['other'] }],
    ['value', { id: 'T1', input: 'x', assert: { type: 'not_contains', value: 'quux' } }],
  ] as const) {
    const sample = { name, written: { ...written, id: 'T1' }, replies: [{ content: 'y' }] }
    const outcome = await playSample(sample, await recordSample(sample, dir), written, dir)
    expect(outcome, name).toEqual({ kind: 'ran', status: 'passed', warnings: [] })
  }
})

const AGENT = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
/** Answers as in the first run, as long as it is asked as in the first run. */
export const run = (messages, ctx, { signal, ...options }) => {
  const asked = JSON.stringify({ messages, options, metadata: ctx.metadata, authorized: ctx.authorized })
  if (!existsSync('asked.json')) writeFileSync('asked.json', asked)
  return readFileSync('asked.json', 'utf8') === asked ? JSON.parse(readFileSync('reply.json', 'utf8')) : 'Sorry?'
}`

test('a few of them through the command line', async () => {
  const [base] = SAMPLES.filter(({ name }) => name === 'JSON')
  if (!base) throw new Error('no such sample')
  const breaks = fc.sample(
    breaksOf(base.written).filter((broken) => !isException(broken, base.written)),
    { numRuns: 12, seed: 1215 },
  )
  const cwd = makeFolder({
    'agent.mjs': AGENT,
    'reply.json': base.replies[0] ?? {},
    'cases.jsonl': [base.written],
    ...Object.fromEntries(breaks.map(({ broken }, index) => [`broken-${index}.jsonl`, JSON.stringify(broken)])),
  })
  const play = (file: string) => viva(['test', '-i', file, '-n', './agent.mjs#run', '-o', `${file}.out.jsonl`], { cwd })
  const whole = await play('cases.jsonl')
  expect([whole.code, whole.stderr]).toEqual([0, expect.not.stringContaining('warning')])
  for (const [index, broken] of breaks.entries()) {
    const { code, stderr } = await play(`broken-${index}.jsonl`)
    const isNamed = /^warning: /m.test(stderr) && broken.names.some((name) => stderr.includes(name))
    expect(code !== 0 || isNamed, JSON.stringify({ broken, code, stderr })).toBe(true)
  }
})

function isNoticed(outcome: Outcome, { names }: Break): boolean {
  if (outcome.kind === 'refused' || outcome.status !== 'passed') return true
  return outcome.warnings.some((text) => names.some((name) => text.includes(name)))
}

/** A renamed field is always noticed. */
function isException(broken: Break, written: unknown): boolean {
  const field = broken.path.findLast((step) => typeof step === 'string') ?? ''
  const exception = UNNOTICED[field]
  if (!exception || broken.kind === 'name') return false
  return exception.when?.(broken, written) ?? true
}

/** Does the assertion around the broken place say what must not be there? */
function isAboutAbsence({ path }: Break, written: unknown): boolean {
  let isNegative = false
  let inner = written
  for (const step of path) {
    const { type, negate, exists } = inner as { type?: unknown; negate?: unknown; exists?: unknown }
    if (type === 'not_contains' || type === 'none') isNegative = !isNegative
    if (negate === true) isNegative = !isNegative
    if (exists === false) isNegative = !isNegative
    inner = (inner as Record<string, unknown>)[step]
  }
  return isNegative
}
