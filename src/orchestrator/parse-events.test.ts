import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { saysPromise } from './completion.js'
import { parseEvents } from './parse-events.js'

const found = (output: string) => parseEvents(output, null).events.map(({ topic, payload }) => [topic, payload])

describe('parseEvents', () => {
  test('takes topic, target and a trimmed payload, in any order of attributes', () => {
    expect(parseEvents('x <event target="b" topic="a">\n one \n</event> y', 'planner')).toEqual({
      events: [{ topic: 'a', payload: 'one', source: 'planner', target: 'b' }],
      malformed: [],
      rest: 'x  y',
    })
  })

  test('a payload runs to the first closing tag: no nesting', () => {
    expect(found('<event topic="a">one <event topic="b">two</event>')).toEqual([['a', 'one <event topic="b">two']])
  })

  test.each([
    ['no topic', '<event foo>b</event>', 'no topic'],
    ['an empty topic', '<event topic="">b</event>', 'no topic'],
    ['a topic in single quotes', "<event topic='a'>b</event>", 'topic is not written as topic="…"'],
    ['a topic without quotes', '<event topic=a>b</event>', 'topic is not written as topic="…"'],
    ['a space before the value', '<event topic= "a">b</event>', 'topic is not written as topic="…"'],
    ['a line break after its name', '<event\ntopic="a">b</event>', 'no space after <event'],
    ['no closing tag', '<event topic="a">b', 'no </event>'],
    ['a tag that does not end', 'see <event topic="a"', 'the tag is not closed'],
  ])('%s is malformed and no event', (_, output, reason) => {
    const { events, malformed } = parseEvents(output, 'h')
    expect([events, malformed]).toEqual([[], [expect.objectContaining({ source: 'h', reason })]])
  })

  test('an event within one that is malformed counts', () => {
    const { events, malformed } = parseEvents(`<event topic='a'>one <event topic="b">two</event>`, null)
    expect(events).toMatchObject([{ topic: 'b', payload: 'two' }])
    expect(malformed).toHaveLength(1)
  })

  test('a target in single quotes is none', () => {
    const { events, malformed } = parseEvents(`<event topic="a" target='b'>x</event>`, null)
    expect(events).toMatchObject([{ topic: 'a', target: null }])
    expect(malformed).toEqual([])
  })

  test.each(['<EVENT topic="a">x</EVENT>', '<events topic="a">x</events>', '<eventual topic="a">x</eventual>'])(
    '%s is text',
    (output) => {
      expect(parseEvents(output, null)).toEqual({ events: [], malformed: [], rest: output })
    },
  )

  const payload = fc.string().filter((text) => !text.includes('</event>'))
  const words = fc.string().filter((text) => !text.includes('<event'))

  test('events come back as they were written, and the rest without them', () => {
    const written = fc.record({ topic: fc.stringMatching(/^[a-z][a-z.]{0,10}$/), payload, before: words })
    fc.assert(
      fc.property(fc.array(written), words, (events, end) => {
        const output = events.map((each) => `${each.before}<event topic="${each.topic}">${each.payload}</event>`)
        const parsed = parseEvents(output.join('') + end, null)
        expect(parsed.events.map((each) => [each.topic, each.payload])).toEqual(
          events.map((each) => [each.topic, each.payload.trim()]),
        )
        expect(parsed.rest).toBe(events.map(({ before }) => before).join('') + end)
      }),
    )
  })

  test('any text is read without an exception, and nothing of it is lost outside tags', () => {
    const text = fc
      .array(fc.constantFrom('<event', ' topic="a"', '>', '</event>', 'x', '\n', '"', ' '))
      .map((all) => all.join(''))
    fc.assert(
      fc.property(text, (output) => {
        const { events, malformed, rest } = parseEvents(output, null)
        expect(rest.length).toBeLessThanOrEqual(output.length)
        if (events.length === 0 && malformed.length === 0) expect(rest).toBe(output)
      }),
    )
  })
})

test('a promise counts as the last line, and not when a payload speaks of it', () => {
  const says = (output: string): boolean => {
    const { rest, events } = parseEvents(output, null)
    return saysPromise(rest, events, 'DONE')
  }
  expect([says('x\nDONE \n\n'), says('<event topic="a">x</event> DONE')]).toEqual([true, true])
  expect([says('DONE\nx'), says('<event topic="a">DONE</event>\nDONE'), says('**DONE**'), says('')]).toEqual([
    false,
    false,
    false,
    false,
  ])
})
