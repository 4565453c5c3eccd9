import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../test/support/any-text.js'
import { UserError } from '../errors.js'
import type { Interaction } from '../model/cassette.js'
import { createRedactor } from '../redact/redactor.js'
import { foldUnsaved } from './fold.js'
import type { UnsavedLine } from './unsaved.js'
import { proposeRedaction } from './mismatch.js'
import { hashOf, Normaliser } from './normalise.js'
import { openYaml, type YamlCassette } from './cassette-yaml.js'
import { parseFast } from './fast-yaml.js'
import { parseCassette } from './read-cassette.js'
import { renderCassette, type Slot } from './write-cassette.js'

const FACTS = { name: 't.yaml', agent: 'a', recorded: '2026-01-01T00:00:00.000Z', clock: '2026-01-01T00:00:00' }
const HASH = `sha256:${'0'.repeat(64)}`

function interaction(changes: Partial<Interaction> = {}): Interaction {
  const request = { messages: [{ role: 'user', content: 'hi' }] }
  const response = { output: 'ho', duration_ms: 1 }
  return { hat: 'agent:a', case: 'T1', run: 1, attempt: 1, prompt_hash: HASH, request, response, ...changes }
}

function written(...interactions: Interaction[]): string {
  return (
    renderCassette(
      undefined,
      interactions.map((item) => ({ written: item })),
      FACTS,
    ) ?? ''
  )
}

function mistakes(text: string): string[] {
  try {
    parseCassette(text, 'tape.yaml')
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.problems.map(({ file, line, field, message }) => `${file}:${line}: ${field ?? ''} ${message}`)
  }
  return []
}

const normaliser = new Normaliser({ secrets: createRedactor({ env: {} }), patterns: {}, root: '/home/me/app' })

test('what is written is what is read, whatever was said', () => {
  const text = fc.oneof(
    anyText(),
    fc.string({ unit: 'grapheme' }),
    fc
      .array(
        fc.constantFrom(
          '# a',
          '- b',
          'k: v',
          '  x',
          '\t',
          '',
          '---',
          '"',
          '| >',
          '\r',
          '\u0085',
          '{',
          '%',
          '&a',
          '*a',
          '!t',
        ),
      )
      .map((lines) => lines.join('\n')),
    // Signs that mean something in YAML, in the middle of words.
    fc
      .array(
        fc.constantFrom(
          'a',
          'yes',
          ' ',
          ': ',
          ':',
          ' #',
          '#',
          '- ',
          ', ',
          '{',
          '}',
          '[',
          '"',
          "'",
          '*',
          '&',
          '!',
          '|',
          '>',
          '%',
          '@',
          '`',
          '1',
          '~',
        ),
      )
      .map((parts) => parts.join('')),
  )
  const message = fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.oneof(text, fc.jsonValue()) })
  const one = fc.record({
    case: text.map((id) => `T${id}`),
    request: fc.record({ messages: fc.array(message, { maxLength: 3 }) }),
    response: fc.record({
      output: fc.oneof(
        text,
        fc.jsonValue().filter((value) => value !== undefined),
      ),
      duration_ms: fc.nat(),
    }),
  })
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), (list) => {
      // As a file: UTF-8, and JSON has no negative zero.
      const all = JSON.parse(JSON.stringify(list)) as typeof list
      const meant = all.map((item) => interaction(normaliser.response(item)))
      const text = Buffer.from(written(...meant)).toString()
      // Both libraries read the same.
      const fast = parseFast(text)
      expect(fast).toBeDefined()
      expect(fast).toMatchObject({ value: (openYaml(text) as { value: unknown }).value as object })
      const read = parseCassette(text, 'tape.yaml').interactions
      expect(read.map(({ file: _file, number: _number, line: _line, ...rest }) => rest)).toEqual(meant)
    }),
    { numRuns: 30 },
  )
})

test('what a person makes of a file is read alike by both libraries, or left to the strict one', () => {
  const lines = written(
    interaction({ response: { output: 'one\n\n  two\nthree', tool_calls: [{ name: 'x' }], duration_ms: 1 } }),
    interaction({ case: 'T2', request: { messages: ['plain', { role: 'user', content: 'hi' }] } }),
    interaction({
      case: 'T2',
      request: { messages: ['plain', { role: 'user', content: 'ho' }], parameters: { a: null } },
    }),
  ).split('\n')
  const change = fc.record({
    at: fc.nat({ max: lines.length - 1 }),
    how: fc.constantFrom<(line: string) => string[]>(
      () => [],
      (line) => [line, line],
      (line) => ['', line],
      (line) => [`${line.slice(0, line.search(/\S|$/))}# note`, line],
      (line) => [`  ${line}`],
      (line) => [line.slice(2)],
      (line) => [line.replace(':', '')],
      (line) => [line.replace(': ', ':')],
      (line) => [line.replace(/:.*/, ':')],
      (line) => [line.replace(/:.*/, '')],
      (line) => [line.replace(/: .*/, ': null')],
      (line) => [`${line}x`],
      (line) => [line.replace('- ', '  ')],
      (line) => [line.replace(/^( *)(\S)/, '$1- $2')],
      (line) => [`${line} `],
      (line) => [line.replaceAll(/: (.*)/g, ": '$1'")],
    ),
  })
  let fastRead = 0
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const text = changes.reduce((all, { at, how }) => all.toSpliced(at, 1, ...how(all[at] ?? '')), lines).join('\n')
      const fast = parseFast(text)
      if (!fast) return
      fastRead++
      const { value, itemLines } = openYaml(text) as YamlCassette
      expect(value).toEqual(fast.value)
      expect(itemLines).toEqual(fast.itemLines)
    }),
    { numRuns: 1000 },
  )
  expect(fastRead).toBeGreaterThan(50)
})

test('what is nested too deep is an error, however it is written', () => {
  const good = written(interaction())
  const flow = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`
  expect(mistakes(good.replace('output: ho', `output: ${flow}`))[0]).toMatch(/^tape\.yaml:\d+:/)
  const block = Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(8 + 2 * depth)}a:\n`).join('')
  const value = `${' '.repeat(8 + 2 * 3000)}b: 1\n`
  expect(mistakes(good.replace('output: ho\n', `output:\n${block}${value}`))[0]).toMatch(/^tape\.yaml:\d+:/)
})

test('what is wrong is named with its line', () => {
  const good = written(interaction(), interaction({ case: 'T2' }))
  expect(mistakes(good)).toEqual([])
  const line = (text: string): number => good.slice(0, good.indexOf(text)).split('\n').length
  expect(mistakes(good.slice(0, good.indexOf('metadata:')))[0]).toContain('cut short')
  expect(mistakes(good.slice(0, good.lastIndexOf('interactions:')))[0]).toContain('cut short')
  expect(mistakes(good.slice(0, good.indexOf('output: ho') + 9))[0]).toContain('cut short')
  expect(mistakes(good.replace('format: 1', 'format: 7'))[0]).toContain(
    `${line('format: 1')}: metadata.format expected 1 or 2, found 7`,
  )
  expect(mistakes(good.replace('  interactions: 2', '  interactions: 3'))[0]).toContain('says 3, but there are 2')
  expect(mistakes(good.replace('output: ho', 'outptu: ho'))).toEqual([
    `tape.yaml:${line('output: ho')}: interactions[0].response.outptu unknown field; did you mean "output"?`,
    expect.stringContaining('interactions[0].response.output is missing'),
  ])
  expect(mistakes(good.replace('hat: agent:a', 'hat: [x]'))[0]).toContain(
    `${line('hat: agent:a')}: interactions[0].request.hat must be text`,
  )
  expect(mistakes(good.replace('output: ho', 'output: &a ho'))[0]).toContain('anchors are not allowed')
  expect(mistakes(good.replace('output: ho', 'output: *a'))).not.toEqual([])
  expect(mistakes(good.replace('output: ho', 'output: !!str ho'))[0]).toContain('tags are not allowed')
  expect(mistakes(good.replace('output: ho', 'output: -.inf'))[0]).toContain('-.inf cannot be used')
  expect(mistakes(good.replace('output: ho', 'output: 12345678901234567890'))[0]).toContain(
    `${line('output: ho')}:  12345678901234567890`,
  )
  expect(mistakes(good.replace('output: ho', 'output: ho\n      output: hi'))[0]).toMatch(/unique/i)
  expect(mistakes(good.replace('\ninteractions:', '\n<<<<<<< mine\ninteractions:'))[0]).toContain('conflict marker')
  expect(mistakes('a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n').join()).toContain('alias')
  expect(mistakes('')[0]).toBeDefined()
  expect(mistakes('just text')[0]).toContain('expected "interactions" and "metadata"')
})

test('only what changed gets new lines; comments stay where they were put', () => {
  const texts = ['T1', 'T2', 'T3'].map((id) =>
    interaction({ case: id, response: { output: `# for ${id}\nis it`, duration_ms: 1 } }),
  )
  const old = parseCassette(
    written(...texts).replace(
      '  - request:\n      hat: agent:a\n      case: T2',
      '  # mine\n\n  - request:   # here\n      hat: agent:a\n      case: T2',
    ),
    'x',
  )
  const changed = interaction({ case: 'T3', response: { output: 'new', duration_ms: 2 } })
  const slots: Slot[] = foldUnsaved(
    old.interactions,
    [
      { type: 'cut', conversation: { case: 'T3', run: 1, attempt: 1 }, kept: {} },
      { type: 'interaction', order: 1, position: 0, interaction: changed },
      { type: 'interaction', order: 2, position: 0, interaction: interaction({ case: 'T4' }) },
      { type: 'interaction', order: 3, position: 0, interaction: interaction({ case: 'lost' }) },
    ],
    (conversation) => conversation.case !== 'lost',
  )
  const text = renderCassette(old, slots, FACTS) ?? ''
  expect(text).toContain(old.text.slice(old.text.indexOf('interactions:'), old.text.indexOf('      case: T3')))
  expect(text.slice(text.indexOf('case: T3'))).toContain('output: new')
  expect(parseCassette(text, 'x').interactions.map((item) => item.case)).toEqual(['T1', 'T2', 'T3', 'T4'])
  expect(
    renderCassette(
      old,
      old.interactions.map((kept) => ({ kept })),
      FACTS,
    ),
  ).toBeUndefined()
})

test('requests are the same wherever and whenever they are made', () => {
  const ask = (text: string, root = '/home/me/app'): string =>
    hashOf(
      new Normaliser({ secrets: createRedactor({ env: {} }), patterns: {}, root }).request({
        messages: [{ role: 'user', content: text, cache_control: { type: 'ephemeral' } }],
      }),
      'normalised',
    )
  const first =
    'At 2026-01-02T03:04:05Z  in /home/me/app/x:\r\n chat run-mwjm9xr1-60dc06fb-T1-1-1, 7f9c24e8-3b12-4a6f-9d11-0123456789ab'
  const second =
    'At 2027-11-12T13:14:15Z in /srv/app/x:\nchat run-mwjzzzz9-0badcafe-T1-1-1, 00000000-3b12-4a6f-9d11-0123456789ab '
  expect(ask(first)).toBe(ask(second, '/srv/app'))
  expect(ask('a b')).not.toBe(ask('a  c'))
  const image = (bytes: string): string => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`
  expect(ask(image('one'))).not.toBe(ask(image('two')))
  expect(normaliser.request({ messages: [image('one')] }).messages[0]).toMatch(
    /^\[image\/png sha256:[0-9a-f]{64} 3 bytes\]$/,
  )
})

test('a redaction is proposed only for what looks like an id, and only if it helps', () => {
  const proposed = (was: string, is: string): string | undefined =>
    proposeRedaction({ messages: [was] }, { messages: [is] }, normaliser)?.json
  expect(proposed('for user_abc123 now', 'for user_xyz789 now')).toBe(
    '{"patterns":{"user_id":"user_[a-z]*[0-9][0-9a-z]*"}}',
  )
  expect(proposed('order 1234567', 'order 7654321')).toBe('{"patterns":{"id":"[0-9]+"}}')
  expect(proposed('on Monday', 'on Friday')).toBeUndefined()
  expect(proposed('pay 10 now', 'pay 20 now')).toBeUndefined()
  expect(proposed('user_a1 and red', 'user_b2 and blue')).toBeUndefined()
})

test('a journal that was folded before a kill can be folded again', () => {
  const first = parseCassette(written(interaction()), 'x')
  const lines: UnsavedLine[] = [
    {
      type: 'interaction',
      order: 1,
      position: 1,
      interaction: interaction({ response: { output: 'more', duration_ms: 5 } }),
    },
    { type: 'cut', conversation: { case: 'T2', run: 1, attempt: 1 }, kept: {} },
    { type: 'interaction', order: 2, position: 0, interaction: interaction({ case: 'T2' }) },
  ]
  const once =
    renderCassette(
      first,
      foldUnsaved(first.interactions, lines, () => true),
      FACTS,
    ) ?? ''
  const folded = parseCassette(once, 'x')
  expect(folded.interactions.map((item) => [item.case, item.response.output])).toEqual([
    ['T1', 'ho'],
    ['T1', 'more'],
    ['T2', 'ho'],
  ])
  expect(
    renderCassette(
      folded,
      foldUnsaved(folded.interactions, lines, () => true),
      FACTS,
    ),
  ).toBeUndefined()
})

test('a cassette that holds nothing any more says so', () => {
  const old = parseCassette(written(interaction()), 'x')
  const text = renderCassette(
    old,
    foldUnsaved(old.interactions, [{ type: 'cut', conversation: interaction(), kept: {} }], () => true),
    FACTS,
  )
  expect(parseCassette(text ?? '', 'x').interactions).toEqual([])
})
