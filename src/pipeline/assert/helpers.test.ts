// Assertions that ask others: judges, scripts, files.
import { expect, test } from 'vitest'
import { checkOne } from '../../../test/support/assertions.js'
import type { HelperCall } from '../../model/helper.js'

/** A judge that gives these answers one after another and keeps what it was asked. */
function scriptedJudge(...answers: unknown[]) {
  const asked: HelperCall[] = []
  const judge = (request: HelperCall): Promise<unknown> => {
    asked.push(request)
    const answer = answers[asked.length - 1]
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  }
  return { asked, judge }
}

test('agent: the validator is asked with criteria, input, output and what the author adds', async () => {
  const { asked, judge } = scriptedJudge({ passed: true, score: 0.95, reason: 'helpful', suggestions: [] })
  const spec = {
    type: 'agent',
    use: 'agents:workers.test.validator',
    options: {
      connector: 'openai-gpt4',
      metadata: { criteria: 'Should be helpful', tone: 'professional and friendly' },
    },
  }
  const result = await checkOne(spec, { output: 'sure', input: 'help?', case_id: 'T9' }, { judge })
  expect(result).toMatchObject({
    type: 'agent',
    use: 'agents:workers.test.validator',
    passed: true,
    score: 0.95,
    message: 'helpful',
  })
  expect(asked).toMatchObject([
    {
      role: 'validator',
      use: 'agents:workers.test.validator',
      options: { connector: 'openai-gpt4' },
      test_id: 'T9',
      data: {
        test_mode: 'validator',
        test_id: 'T9',
        criteria: 'Should be helpful',
        tone: 'professional and friendly',
        output: 'sure',
        input: 'help?',
      },
    },
  ])
  expect(asked[0]?.text).toContain('Should be helpful')
})

test('agent: the ready-made judge where none is named', async () => {
  const { asked, judge } = scriptedJudge('{"passed": false, "reason": "rude"}')
  const result = await checkOne({ type: 'agent', value: 'polite' }, {}, { judge })
  expect(result).toMatchObject({ passed: false, message: 'rude', value: 'polite' })
  expect(asked[0]).not.toHaveProperty('use')
})

test('agent: the score must reach the threshold', async () => {
  const spec = { type: 'agent', value: 'polite', threshold: 0.8 }
  const ask = (answer: unknown) => checkOne(spec, {}, scriptedJudge(answer))
  expect(await ask({ passed: true, score: 0.8 })).toMatchObject({ passed: true })
  expect(await ask({ passed: true, score: 0.7, reason: 'so-so' })).toMatchObject({
    passed: false,
    message: 'score 0.7 is below 0.8: so-so',
  })
  expect(await ask({ passed: false, score: 0.9 })).toMatchObject({ passed: false })
  expect(await ask({ passed: true })).toMatchObject({
    passed: false,
    error: expect.stringContaining('no score') as unknown,
  })
})

test('agent: the majority of the votes decides and the split is kept', async () => {
  const vote = (...answers: unknown[]) =>
    checkOne({ type: 'agent', value: 'polite', votes: answers.length }, {}, scriptedJudge(...answers))
  const yes = { passed: true, score: 1 }
  const no = { passed: false, score: 0, reason: 'rude' }
  const broken = new Error('connection refused')
  const won = await vote(yes, no, yes)
  expect(won).toMatchObject({ passed: true, message: '2 of 3 votes passed' })
  expect(won.score).toBeCloseTo(2 / 3)
  expect(won.parts?.map((part) => part.passed)).toEqual([true, false, true])
  expect(await vote(no, yes, no)).toMatchObject({ passed: false, message: '1 of 3 votes passed: rude' })
  expect(await vote(yes, no)).toMatchObject({
    passed: false,
    error: '1 of 2 votes passed, a tie, and no verdict',
    error_kind: 'validator',
  })
  expect(await vote(yes, broken, yes)).toMatchObject({ passed: true })
  expect(await vote(yes, broken, no)).toMatchObject({
    passed: false,
    error: expect.stringContaining('1 gave no verdict') as unknown,
  })
  expect(await vote(broken, broken, yes)).toMatchObject({ passed: false, error_kind: 'validator' })
  expect((await vote(yes, broken, yes)).parts?.[1]).toMatchObject({
    passed: false,
    error: expect.stringContaining('refused') as unknown,
  })
})

test('agent: a custom message does not hide that the judge could not be asked', async () => {
  const result = await checkOne(
    { type: 'agent', value: 'polite', message: 'not polite' },
    {},
    scriptedJudge('???', '???'),
  )
  expect(result.error).toContain('validator agent returned invalid response format: ???')
  expect(result.message).toBeUndefined()
})

test('a judge that is wrong about a known answer is not believed', async () => {
  const controls = { good: 'a fine answer', bad: 'rubbish' }
  for (const { spec, best } of [
    { spec: { type: 'agent', value: 'polite', controls }, best: 1 },
    { spec: { type: 'rubric', criterion: 'polite', controls }, best: 5 },
  ]) {
    const gullible = (request: HelperCall) =>
      Promise.resolve({ passed: true, reasoning: 'fine', score: best, reason: String(request.data['output']) })
    const strict = () => Promise.resolve({ passed: false, reasoning: 'no', score: 1 })
    const honest = ({ data: { output } }: HelperCall) =>
      Promise.resolve({ passed: output !== 'rubbish', reasoning: 'x', score: output === 'rubbish' ? 1 : best })
    const ask = (judge: (request: HelperCall) => Promise<unknown>) =>
      checkOne(spec, { output: 'the answer' }, { judge })
    expect(await ask(honest)).toMatchObject({ passed: true })
    expect(await ask(gullible)).toMatchObject({
      passed: false,
      error: expect.stringContaining('failed its control: it passed') as unknown,
    })
    expect(await ask(strict)).toMatchObject({
      passed: false,
      error: expect.stringContaining('failed its control: it rejected') as unknown,
    })
  }
})

test.each([
  [{ passed: true, score: 85 }, 0.7, 'the score 85, outside the scale from 0 to 1'],
  [{ passed: true, score: 85 }, undefined, 'outside the scale'],
  [{ passed: true, score: -0.1 }, undefined, 'outside the scale'],
  [{ passed: true, score: -1 }, 70, 'outside the scale from 0 up'],
  [{ passed: true, score: 1.5 }, 1, 'outside the scale from 0 to 1'],
  [{ passed: true, score: 1 }, 1, undefined],
  [{ passed: true, score: 85 }, 70, undefined],
  [{ passed: true, score: 0.7 }, 0.7, undefined],
  [{ passed: true, score: 0 }, undefined, undefined],
])('agent: %j with the threshold %s', async (answer, threshold, error) => {
  const spec = { type: 'agent', value: 'polite', ...(threshold !== undefined && { threshold }) }
  const result = await checkOne(spec, {}, scriptedJudge(answer, answer))
  expect(result.passed).toBe(error === undefined)
  if (error !== undefined)
    expect([result.error, result.error_kind]).toEqual([expect.stringContaining(error), 'validator'])
  else expect(result.error).toBeUndefined()
})

test('agent: a score just below the threshold does not pass', async () => {
  const spec = { type: 'agent', value: 'polite', threshold: 0.7 }
  const result = await checkOne(spec, {}, scriptedJudge({ passed: true, score: 0.69 }))
  expect(result).toMatchObject({ passed: false, message: 'score 0.69 is below 0.7' })
})

test('rubric: a rating is compared with the threshold', async () => {
  const spec = { type: 'rubric', criterion: 'complete', rubric: { 1: 'no plan', 5: 'complete' }, threshold: 4 }
  const { asked, judge } = scriptedJudge({ reasoning: 'level 5', score: 5 })
  expect(await checkOne(spec, {}, { judge })).toMatchObject({ passed: true, score: 5, criterion: 'complete' })
  expect(asked[0]?.data).toMatchObject({ criteria: 'complete', rubric: { 1: 'no plan', 5: 'complete' } })
  expect(await checkOne(spec, {}, scriptedJudge({ reasoning: 'gaps', score: 3 }))).toMatchObject({
    passed: false,
    message: 'score 3 is below 4: gaps',
  })
  expect(
    await checkOne({ type: 'rubric', criterion: 'x' }, {}, scriptedJudge({ reasoning: 'ok', score: 3 })),
  ).toMatchObject({ passed: true })
})

test('rubric: a control that reaches the threshold exactly counts as passed', async () => {
  const spec = { type: 'rubric', criterion: 'x', threshold: 4, controls: { good: 'fine' } }
  const rating = (score: number) => ({ reasoning: 'why', score })
  expect(await checkOne(spec, {}, scriptedJudge(rating(4), rating(5)))).toMatchObject({ passed: true })
  expect(await checkOne(spec, {}, scriptedJudge(rating(3), rating(5)))).toMatchObject({
    passed: false,
    error: expect.stringContaining('failed its control') as unknown,
  })
})

test('rubric: an answer that cannot be used is asked for once more, then it is an error', async () => {
  const spec = { type: 'rubric', criterion: 'complete' }
  const second = scriptedJudge('I give it 6/5', { reasoning: 'fine', score: 4 })
  expect(await checkOne(spec, {}, second)).toMatchObject({ passed: true })
  expect(second.asked).toHaveLength(2)
  const never = scriptedJudge({ score: 9 }, { score: 4 }, { reasoning: 'x', score: 5 })
  expect(await checkOne(spec, {}, never)).toMatchObject({ passed: false, error_kind: 'validator' })
  expect(never.asked).toHaveLength(2)
  const gone = scriptedJudge(new Error('connection refused'), { reasoning: 'x', score: 5 })
  expect(await checkOne(spec, {}, gone)).toMatchObject({
    passed: false,
    error: expect.stringContaining('refused') as unknown,
  })
  expect(gone.asked).toHaveLength(1)
})

test('script: it is called with output, input, expected and the rest', async () => {
  const calls: unknown[][] = []
  const script = (ref: string, args: unknown[]) => {
    calls.push([ref, ...args])
    return Promise.resolve({ pass: true, message: 'Validation passed', score: 0.5 })
  }
  const spec = { type: 'script', use: 'scripts:tests.validate-expense', options: { metadata: { min_amount: 100 } } }
  const result = await checkOne(
    spec,
    { output: { amount: 200 }, input: 'in', expected: 'ex', reply: { content: 'raw', tool_calls: [] } },
    { script },
  )
  expect(result).toMatchObject({
    passed: true,
    message: 'Validation passed',
    score: 0.5,
    use: 'scripts:tests.validate-expense',
  })
  expect(calls[0]?.slice(0, 4)).toEqual(['scripts:tests.validate-expense', { amount: 200 }, 'in', 'ex'])
  expect(calls[0]?.[4]).toMatchObject({
    metadata: { min_amount: 100 },
    evidence: { case_id: 'T001', output: { amount: 200 } },
  })
  expect(calls[0]?.[4]).not.toHaveProperty('evidence.reply')
})

test('script: booleans and results, everything else is an error', async () => {
  const run = (answer: unknown) =>
    checkOne({ type: 'script', script: 'scripts.test.Check' }, {}, { script: () => Promise.resolve(answer) })
  expect(await run(true)).toMatchObject({ passed: true, script: 'scripts.test.Check' })
  expect(await run(false)).toMatchObject({ passed: false, message: 'scripts.test.Check returned false' })
  expect(await run({ passed: false, message: 'too small' })).toMatchObject({ passed: false, message: 'too small' })
  const failed = await run({ pass: false, message: 'too small', expected: 5, actual: 'x'.repeat(5000) })
  expect(failed).toMatchObject({ passed: false, expected: 5, actual: expect.stringMatching(/^x{1,2000}…$/) as string })
  expect(await run({ pass: true, expected: 5, actual: 4 })).not.toHaveProperty('actual')
  for (const answer of [
    undefined,
    null,
    'true',
    1,
    {},
    { pass: 'yes' },
    { pass: true, passed: false },
    { pass: true, score: 'x' },
    [true],
  ]) {
    const result = await run(answer)
    expect(result, JSON.stringify(answer)).toMatchObject({ passed: false, error_kind: 'script' })
    expect(result.error).toContain('neither a boolean nor')
  }
})

test('schema: from a file, read once', async () => {
  let reads = 0
  const readFile = (path: string) => {
    reads++
    return path === 'good.json'
      ? Promise.resolve('{"type": "array", /* items */ "minItems": 1}')
      : Promise.reject(new Error(`no such file: ${path}`))
  }
  expect(await checkOne({ type: 'schema', file: 'good.json' }, { output: '[1]' }, { readFile })).toMatchObject({
    passed: true,
  })
  expect(await checkOne({ type: 'schema', file: 'good.json' }, { output: '[]' }, { readFile })).toMatchObject({
    passed: false,
  })
  expect(reads).toBe(2)
  expect(await checkOne({ type: 'schema', file: 'gone.json' }, { output: '[]' }, { readFile })).toMatchObject({
    passed: false,
    error: 'schema could not be checked: no such file: gone.json',
    error_kind: 'input',
  })
})

test('schema: each pattern is its own', async () => {
  const value = {
    type: 'object',
    properties: { a: { pattern: '^x\\d$' }, b: { pattern: '^y\\d$' } },
    patternProperties: { '^n_': { type: 'number' } },
  }
  expect(await checkOne({ type: 'schema', value }, { output: { a: 'x1', b: 'y1', n_1: 1 } })).toMatchObject({
    passed: true,
  })
  expect(await checkOne({ type: 'schema', value }, { output: { a: 'x1', b: 'x1' } })).toMatchObject({ passed: false })
  expect(await checkOne({ type: 'schema', value }, { output: { n_1: 'x' } })).toMatchObject({ passed: false })
})

test('schema: a hostile pattern ends', async () => {
  const value = { type: 'string', pattern: '^(a+)+$' }
  expect(await checkOne({ type: 'schema', value }, { output: `${'a'.repeat(20_000)}!` })).toMatchObject({
    passed: false,
  })
})
