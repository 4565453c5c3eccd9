import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkOne, evidenceOf, servicesOf } from '../../../test/support/assertions.js'
import { compileAssertions } from './compile.js'
import { evaluate, failureText } from './evaluate.js'

test('all assertions are evaluated, in order', () => {
  const specs = [
    { type: 'contains', value: 'a' },
    { type: 'contains', value: 'nope' },
    { type: 'regex', value: 'b.' },
  ]
  const results = evaluate(compileAssertions(specs), evidenceOf({ output: 'abc' }), servicesOf())
  expect(results).toMatchObject([{ passed: true }, { passed: false }, { passed: true }])
})

test('without anything to wait for the results are there at once', () => {
  expect(
    evaluate(compileAssertions([{ type: 'contains', value: 'a' }]), evidenceOf({ output: 'a' }), servicesOf()),
  ).toEqual([{ type: 'contains', value: 'a', passed: true }])
})

test('those that wait are asked one after another', async () => {
  const log: string[] = []
  const judge = async () => {
    log.push('judge begins')
    await Promise.resolve()
    log.push('judge ends')
    return { passed: true }
  }
  const script = () => {
    log.push('script')
    return Promise.resolve(true)
  }
  const specs = [
    { type: 'agent', value: 'polite' },
    { type: 'script', script: 'scripts.a.B' },
    { type: 'contains', value: 'a' },
  ]
  const results = await evaluate(compileAssertions(specs), evidenceOf({ output: 'a' }), servicesOf({ judge, script }))
  expect(log).toEqual(['judge begins', 'judge ends', 'script'])
  expect(results.map((result) => result.passed)).toEqual([true, true, true])
  expect(results[0]?.duration_ms).toEqual(expect.any(Number))
  expect(results[2]).not.toHaveProperty('duration_ms')
})

test('one that waits after another that waits is waited for, in a group too', async () => {
  const answers = [{ passed: true }, { passed: false, reason: 'rude' }, { passed: true }]
  const judge = () => Promise.resolve(answers.shift() ?? { passed: true })
  const polite = { type: 'agent', value: 'polite' }
  const specs = [polite, polite, { type: 'contains', value: 'a' }, polite]
  const results = await evaluate(compileAssertions(specs), evidenceOf({ output: 'a' }), servicesOf({ judge }))
  expect(results.map((result) => result.passed)).toEqual([true, false, true, true])

  answers.push({ passed: true }, { passed: false, reason: 'rude' })
  const group = await checkOne({ type: 'all', assertions: [polite, polite] }, {}, { judge })
  expect(group).toMatchObject({ passed: false, parts: [{ passed: true }, { passed: false, message: 'rude' }] })
})

test('results name what was checked', async () => {
  expect(
    await checkOne(
      { type: 'tool_called', name: 'f', label: 'calls f', weight: 2 },
      { tool_calls: [{ name: 'f', args: {} }] },
    ),
  ).toEqual({
    type: 'tool_called',
    name: 'f',
    label: 'calls f',
    weight: 2,
    passed: true,
  })
  expect(await checkOne({ type: 'json_path', path: '$.a', value: 1 }, { output: { a: 1 } })).toEqual({
    type: 'json_path',
    path: '$.a',
    value: 1,
    passed: true,
  })
})

test('a message replaces the text, the details stay', async () => {
  const result = await checkOne({ type: 'equals', value: { a: 1 }, message: 'wrong answer' }, { output: { a: 2 } })
  expect(result).toMatchObject({ message: 'wrong answer', expected: { a: 1 }, actual: { a: 2 } })
})

test('long texts come with a diff', async () => {
  const text = 'The quick brown fox jumps over the lazy dog while the cat looks on from the window.'
  const result = await checkOne({ type: 'equals', value: text }, { output: text.replace('lazy', 'sleepy') })
  expect(result.diff).toContain('[-lazy-]{+sleepy+}')
})

test('a check that could not be made is an error, and negate does not turn it into a pass', async () => {
  const cases: [unknown, string][] = [
    [{ type: 'cost', max_dollars: 1 }, 'cost is not known'],
    [{ type: 'tokens', max: 1 }, 'does not report'],
    [{ type: 'exit_code', expected: 0 }, 'no exit code'],
    [{ type: 'stderr_contains', pattern: 'x' }, 'no error output'],
    ['awaiting_input', 'not known'],
    [{ type: 'tool_result', tool: 'f', result: 1 }, 'does not report what'],
    [{ type: 'agent', value: 'polite' }, 'no judge in this test'],
    [{ type: 'rubric', criterion: 'polite' }, 'no judge in this test'],
    [{ type: 'script', script: 'scripts.a.B' }, 'no script in this test'],
    [{ type: 'schema', file: 'x.json' }, 'cannot be read here'],
    [{ type: 'regex', value: '(?=a)(a+)+$', engine: 'js' }, 'no answer within 1 s'],
  ]
  for (const [spec, text] of cases) {
    const evidence = { output: `${'a'.repeat(40)}!`, tool_calls: [{ name: 'f', args: {} }] }
    const negated = typeof spec === 'string' ? { type: spec, negate: true } : { ...(spec as object), negate: true }
    const forms: unknown[] = [negated, { type: 'none', assertions: [spec] }]
    // A search that takes all of its second: twice is enough.
    if (!text.includes('within')) forms.push(spec, { type: 'all', assertions: [spec] })
    for (const each of forms) {
      const result = await checkOne(each, evidence)
      expect(result, JSON.stringify(each)).toMatchObject({
        passed: false,
        error: expect.stringContaining(text) as unknown,
      })
      expect(result.error_kind).toBeDefined()
    }
  }
})

test('groups know three values: an error counts only where it could change the verdict', async () => {
  const broken = { type: 'cost', max_dollars: 1 }
  const holds = { type: 'contains', value: 'a' }
  const fails = { type: 'contains', value: 'zzz' }
  const outcome = async (type: string, ...assertions: unknown[]) => {
    const { passed, error } = await checkOne({ type, assertions }, { output: 'a' })
    return error === undefined ? passed : 'error'
  }
  expect(await outcome('all', broken, holds)).toBe('error')
  expect(await outcome('all', broken, fails)).toBe(false)
  expect(await outcome('any', broken, holds)).toBe(true)
  expect(await outcome('any', broken, fails)).toBe('error')
  expect(await outcome('none', broken, holds)).toBe(false)
  expect(await outcome('none', broken, fails)).toBe('error')
})

test('text that was searched only in part proves no absence', async () => {
  const output = `${'x'.repeat(1024 * 1024)} needle1`
  const result = await checkOne({ type: 'regex', value: 'needle\\d' }, { output })
  expect(result.message).toContain('only the first 1 MB')
  const spec = { type: 'regex', value: 'needle\\d' }
  const fails = { type: 'contains', value: 'nowhere' }
  for (const absence of [
    { ...spec, negate: true },
    { type: 'stdout_contains', pattern: 'needle\\d', negate: true },
    { type: 'none', assertions: [spec] },
    { type: 'none', assertions: [fails, spec] },
    { type: 'any', assertions: [spec, fails], negate: true },
    { type: 'all', assertions: [spec], negate: true },
    { type: 'none', assertions: [{ type: 'any', assertions: [spec] }] },
    { type: 'none', assertions: [{ ...spec, engine: 'js' }] },
  ]) {
    expect(await checkOne(absence, { output, stdout: output }), JSON.stringify(absence)).toMatchObject({
      passed: false,
      error: expect.stringContaining('only the first 1 MB') as unknown,
    })
  }
  // Where another member shows it, the text need not be searched whole.
  expect(await checkOne({ type: 'all', assertions: [spec, fails], negate: true }, { output })).toMatchObject({
    passed: true,
  })
  expect(await checkOne({ type: 'not_contains', value: 'needle1' }, { output })).toMatchObject({ passed: false })
  expect(await checkOne({ type: 'not_contains', value: 'needle2' }, { output })).toMatchObject({ passed: true })
})

test('large answers are abridged in results', async () => {
  const result = await checkOne({ type: 'contains', value: 'needle' }, { output: 'x'.repeat(1_000_000) })
  expect(JSON.stringify(result).length).toBeLessThan(5000)
})

test('a nesting that would overflow the stack is an error, not a crash', async () => {
  const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  expect(await checkOne({ type: 'contains', value: [[]] }, { output: [deep] })).toMatchObject({ passed: false })
})

test('the failure text has the label in front', () => {
  expect(failureText({ type: 'contains', passed: false, message: 'no', label: 'refund' })).toBe('refund: no')
  expect(failureText({ type: 'agent', passed: false, error: 'broken', message: 'no' })).toBe('broken')
})

test('negate turns every verdict that could be made', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('a', 'b', 'ab', 'c'), fc.stringMatching(/^[ab]{0,4}$/), async (value, output) => {
      const spec = { type: 'contains', value }
      const plain = await checkOne(spec, { output })
      const negated = await checkOne({ ...spec, negate: true }, { output })
      expect(negated.passed).toBe(!plain.passed)
    }),
  )
})

test('unordered does not care about order, strict implies unordered, ordered and superset', async () => {
  const call = fc.record({ name: fc.constantFrom('f', 'g'), args: fc.record({ x: fc.integer({ min: 0, max: 2 }) }) })
  const wanted = fc.oneof(
    fc.constantFrom('f', 'g'),
    fc.record({
      name: fc.constantFrom('f', 'g'),
      args: fc.record({ x: fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constant({ $any: true })) }),
    }),
  )
  const outcome = async (tools: unknown[], match: string, tool_calls: { name: string; args: unknown }[]) =>
    (await checkOne({ type: 'tool_sequence', tools, match }, { tool_calls })).passed
  await fc.assert(
    fc.asyncProperty(
      fc.array(wanted, { minLength: 1, maxLength: 5 }),
      fc.array(call, { maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
      async (tools, calls, keys) => {
        const shuffled = calls.map((each) => ({ each, key: keys.next().value ?? 0 })).toSorted((a, b) => a.key - b.key)
        const other = shuffled.map(({ each }) => each)
        const unordered = await outcome(tools, 'unordered', calls)
        expect(await outcome(tools, 'unordered', other)).toBe(unordered)
        expect(unordered).toBe((await outcome(tools, 'superset', calls)) && (await outcome(tools, 'subset', calls)))
        if (await outcome(tools, 'strict', calls)) {
          expect(unordered).toBe(true)
          expect(await outcome(tools, 'ordered', calls)).toBe(true)
        }
        expect(unordered).toBe(
          tools.length === calls.length && somePermutation(tools, calls, await strictly(tools, calls)),
        )
      },
    ),
    { numRuns: 60 },
  )

  /** Which call fits which wanted tool, asked one pair at a time. */
  async function strictly(tools: unknown[], calls: { name: string; args: unknown }[]): Promise<boolean[][]> {
    return Promise.all(tools.map((tool) => Promise.all(calls.map((each) => outcome([tool], 'strict', [each])))))
  }

  function somePermutation(tools: unknown[], calls: unknown[], fits: boolean[][], used = new Set<number>()): boolean {
    const next = used.size
    if (next === tools.length) return true
    return calls.some(
      (_, index) =>
        !used.has(index) &&
        fits[next]?.[index] === true &&
        somePermutation(tools, calls, fits, new Set([...used, index])),
    )
  }
})
