// What helpers answer: the forms that are understood, and the ones that are their error.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conformance } from '../../../test/support/conformance.js'
import { parseGeneratorAnswer, parseReporterAnswer, parseSimulatorAnswer } from './answers.js'

type Row = Record<string, unknown>

describe('simulator', () => {
  test.each<[string, unknown, unknown]>([
    [
      'structured',
      { input: 'A latte', goal_achieved: false, reasoning: 'r' },
      { input: 'A latte', goal_achieved: false, reasoning: 'r' },
    ],
    [
      'after thinking',
      '<think>Is {"goal_achieved": true, "input": ""} right?</think>\nA latte',
      { input: 'A latte', goal_achieved: false },
    ],
    ['message for input', { message: 'A latte' }, { input: 'A latte', goal_achieved: false }],
    ['JSON text', '{"input":"A latte","goal_achieved":false}', { input: 'A latte', goal_achieved: false }],
    ['fenced', '```json\n{"message":"A latte","goal_achieved":true}\n```', { input: 'A latte', goal_achieved: true }],
    [
      'in prose',
      'Here you go: {"input": "hi", "goal_achieved": false} Hope it helps',
      { input: 'hi', goal_achieved: false },
    ],
    ['repaired', "{'input': 'hi', 'goal_achieved': false,}", { input: 'hi', goal_achieved: false }],
    ['plain text', '  A latte, please: large  ', { input: 'A latte, please: large', goal_achieved: false }],
    ['text with other JSON in it', 'Use {"amount": 5}', { input: 'Use {"amount": 5}', goal_achieved: false }],
    ['text with cut-off JSON in it', 'Use {"amount": 5', { input: 'Use {"amount": 5', goal_achieved: false }],
    ['a stage direction', '[sighs] A latte', { input: '[sighs] A latte', goal_achieved: false }],
    ['no input once achieved', { goal_achieved: true }, { goal_achieved: true }],
    ['empty input once achieved', { input: '', goal_achieved: true }, { goal_achieved: true }],
    ['a number as input', { input: 250 }, { input: '250', goal_achieved: false }],
    ['goal as text', { input: 'x', goal_achieved: 'true' }, { input: 'x', goal_achieved: true }],
  ])('%s', (_name, answer, expected) => {
    expect(parseSimulatorAnswer(answer)).toEqual(expected)
  })

  test.each<[string, unknown]>([
    ['nothing', ''],
    ['null', null],
    ['no input and no goal', { reasoning: 'hm' }],
    ['no input, goal not achieved', { goal_achieved: false }],
    ['input without a visible character', { input: ' \n ' }],
    ['an object as input', { input: { text: 'x' } }],
    ['a goal that is no boolean', { input: 'x', goal_achieved: 'maybe' }],
    ['a list', ['x']],
    ['text that is an unrelated object', '{"error": "overloaded"}'],
    ['text that is an object cut off', ' {"input": "A latte", "goal_ach'],
    ['text that is an object with bare keys', '{input: "A latte"}'],
    ['text that is a list', '["A latte"]'],
    ['a fence with an unrelated object', '```json\n{"text": "A latte"}\n```'],
    ['a fence that was cut off', '```json\n{"input": "A la'],
    ['a fence without a label', '```\n{"text": "A latte"}\n```'],
  ])('unusable: %s', (_name, answer) => {
    expect(() => parseSimulatorAnswer(answer)).toThrow(/^the simulator's answer /)
  })

  for (const row of conformance<Row, Row>('dynamic', 'simulator_reply')) {
    test(`conformance: ${row.name}`, () => {
      const { message, ...rest } = row.expect
      expect(parseSimulatorAnswer(row.given['reply'])).toEqual({ input: message, ...rest })
    })
  }

  test('any text is either a message or an error, never a crash or a silent nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          const { input, goal_achieved } = parseSimulatorAnswer(text)
          expect(goal_achieved || (input ?? '') !== '').toBe(true)
        } catch (error) {
          expect(String(error)).toContain("the simulator's answer")
        }
      }),
    )
  })
})

describe('generator', () => {
  const one = { id: 'a', input: 'x' }
  test.each<[string, unknown, unknown[]]>([
    ['cases', { cases: [one] }, [one]],
    ['test_cases', '{"test_cases":[{"id":"a","input":"x"}]}', [one]],
    ['a list', [one, one], [one, one]],
    ['one case', one, [one]],
    ['fenced', 'Sure!\n```json\n[{"id":"a","input":"x"}]\n```', [one]],
    ['one case a line', '{"id":"a","input":"x"}\n{"id":"b","input":"y"}\n', [one, { id: 'b', input: 'y' }]],
    [
      'lines in a fence',
      '```jsonl\n{"id":"a","input":"x"}\n{"id":"b","input":"y"}\n```',
      [one, { id: 'b', input: 'y' }],
    ],
    ['repaired lines', "{'id':'a','input':'x'}\n{'id':'b','input':'y',}", [one, { id: 'b', input: 'y' }]],
    [
      'one object over lines that all start alike',
      '{"cases": [\n{"id":"a","input":"x"},\n{"id":"b","input":"y"}]}',
      [one, { id: 'b', input: 'y' }],
    ],
  ])('%s', (_name, answer, expected) => {
    expect(parseGeneratorAnswer(answer)).toEqual(expected)
  })

  test.each<[string, unknown]>([
    ['prose', 'I cannot do that.'],
    ['no cases', { cases: [] }],
    ['cases that are no list', { cases: 'none' }],
    ['an unrelated object', { ok: true }],
    ['a list of texts', ['a', 'b']],
    ['nothing', ''],
    ['cases that were cut off', '{"cases": [{"id":"a","input":"x"},{"id":"b","input":"y"},{"id":"c","inp'],
    ['a list that was cut off', 'Sure!\n```json\n[{"id":"a","input":"x"},{"id":"b","inp'],
  ])('unusable: %s', (_name, answer) => {
    expect(() => parseGeneratorAnswer(answer)).toThrow(/^the generator's answer /)
  })

  test('a line that cannot be read is named, and the others do not count without it', () => {
    expect(() => parseGeneratorAnswer('```jsonl\n{"id":"a","input":"x"}\n\n{"id":"b","inp\n```')).toThrow(
      'the generator\'s answer has a line that cannot be read, line 4: {"id":"b","inp',
    )
  })

  test('a case that is wrong is handed on, not dropped', () => {
    expect(parseGeneratorAnswer({ cases: [one, { input: 'no id' }, 7] })).toHaveLength(3)
  })

  for (const row of conformance<Row, Row>('generator', 'generator_reply')) {
    test(`conformance: ${row.name}`, () => {
      const cases = parseGeneratorAnswer(row.given['reply']) as Array<Record<string, unknown>>
      // That an id is missing is found where every case is checked; the answer itself is usable.
      if (row.name === 'missing id') expect(cases).toEqual([{ input: 'x' }])
      else expect(cases.map((each) => each['id'])).toEqual(row.expect['ids'])
      if (row.expect['assert'] !== undefined) expect(cases[0]?.['assertions']).toEqual(row.expect['assert'])
    })
  }
})

describe('reporter', () => {
  test('text is the document, with or without a fence around all of it', () => {
    expect(parseReporterAnswer('# Report\n', 'markdown')).toBe('# Report\n')
    expect(parseReporterAnswer('```html\n<p>hi</p>\n```', 'html')).toBe('<p>hi</p>\n')
    expect(parseReporterAnswer('a\n```js\nx\n```\nb', 'markdown')).toBe('a\n```js\nx\n```\nb')
    expect(parseReporterAnswer({ content: 'doc' }, 'text')).toBe('doc')
    expect(parseReporterAnswer({ a: 1 }, 'json')).toBe('{\n  "a": 1\n}\n')
  })

  test('no document is the reporter’s error', () => {
    expect(() => parseReporterAnswer('', 'text')).toThrow(
      "the reporter's answer is not the text of a document: (empty)",
    )
    expect(() => parseReporterAnswer({ a: 1 }, 'html')).toThrow('{"a":1}')
  })
})

test('an error shows at most the first 200 characters of the answer', () => {
  expect(() => parseGeneratorAnswer('z'.repeat(999))).toThrow(/: z{200}…$/)
})
