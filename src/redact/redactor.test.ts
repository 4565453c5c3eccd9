import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NormaliserName } from './normalisers.js'
import { createRedactor } from './redactor.js'

interface RedactionCase {
  id: string
  group: string
  rule: string
  parts: string[]
  secrets: [number, number][]
  expected: string
  why: string
  mode?: 'json' | 'stream'
  norm?: NormaliserName[]
  workspace?: string
  env_parts?: Record<string, string[]>
}

function readCases(name: string): RedactionCase[] {
  const text = readFileSync(new URL(`../../test/fixtures/redaction/${name}`, import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RedactionCase)
}

const cases = [...readCases('cases.jsonl'), ...readCases('named.jsonl')]

function redactorFor(item: RedactionCase) {
  const env = Object.entries(item.env_parts ?? {}).map(([name, parts]) => [name, parts.join('')] as const)
  return createRedactor({
    env: Object.fromEntries(env),
    normalisers: item.norm ?? [],
    workspaces: item.workspace ? [item.workspace] : [],
  })
}

test.each(cases)('$id $group $rule: $why', (item) => {
  const text = item.parts.join('')
  const redactor = redactorFor(item)
  const once = run(text)
  expect(once).toBe(item.expected)
  expect(redactor.text(once)).toBe(once)
  const line = redactorFor(item).line({ type: 'result', output: text })
  for (const [from, to] of item.secrets) expect(line).not.toContain(text.slice(from, to))
  expect(JSON.parse(line)).toHaveProperty('output')

  function run(input: string): string {
    if (item.mode === 'json') return JSON.stringify(redactor.value(JSON.parse(input)))
    if (item.mode !== 'stream') return redactor.text(input)
    const stream = redactor.stream()
    return item.parts.map((part) => stream.write(part)).join('') + stream.end()
  }
})

const clean = createRedactor({ env: {} })
const keys = cases
  .filter((item) => item.group === 'positive')
  .map((item) => item.parts.join('').replace(/^key is | ok$/g, ''))

test('a clean value is handed back as it is, the same object', () => {
  const event = { type: 'result', output: 'all quiet', usage: { input_tokens: 3, total_tokens: 4 } }
  expect(clean.value(event)).toBe(event)
  expect(clean.line(event)).toBe(JSON.stringify(event))
})

test('every provider key is found inside a serialised event, wherever it is', () => {
  for (const secret of keys) {
    const event = {
      type: 'result',
      output: `see\n${secret}\n`,
      tool_calls: [{ args: JSON.stringify({ deep: [secret] }) }],
      [secret]: 1,
    }
    expect(clean.line(event)).not.toContain(secret)
  }
})

test('redaction is idempotent, keeps JSON valid and agrees between text, value and line', () => {
  const piece = fc.oneof(
    fc.constantFrom(...keys, ...cases.map((item) => item.parts.join(''))),
    fc.constantFrom(
      '"',
      '\\',
      '\n',
      '\u001b[31m',
      ' ',
      ':',
      '=',
      'Bearer ',
      '"password":"',
      'TOKEN=',
      '{',
      '}',
      '?key=',
      'Cookie: ',
      'password: ',
      'client_secret=',
      '\\"',
      "'",
      '--token ',
      'the key is ',
      'machine h login u password ',
    ),
    fc.string(),
  )
  const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (input) => {
      const once = clean.text(input)
      expect(clean.text(once)).toBe(once)
      const line = clean.line({ type: 'result', output: input, nested: { [input]: [JSON.stringify({ input })] } })
      const parsed = JSON.parse(line) as { output: string }
      expect(parsed.output).toBe(once)
      expect(clean.line(parsed)).toBe(line)
    }),
    { numRuns: 1000, examples: [['machine h login u password \\\n#####A#0']] },
  )
})

test('secret variables are hidden by value in every spelling', () => {
  const secret = 'p/q "r+s" 99ü\\t'
  const redactor = createRedactor({ env: { MY_SERVICE_TOKEN: secret, PWD: '/home/somebody' } })
  const spellings = [
    secret,
    JSON.stringify(secret),
    JSON.stringify(JSON.stringify({ secret })),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ]
  for (const spelling of spellings) {
    expect(redactor.text(`<${spelling}>`)).toContain('[SECRET]')
    expect(redactor.line({ output: spelling })).toContain('[SECRET]')
  }
  const basic = Buffer.from(`user:${secret}`).toString('base64')
  expect(redactor.text(`x ${basic}`)).toContain('[SECRET]')
  expect(redactor.text('in /home/somebody')).toBe('in /home/somebody')
})

test('short values and common words are not hunted', () => {
  const redactor = createRedactor({ env: { A_TOKEN: 'abc', DB_PASSWORD: 'password', TOKEN_LIMIT: '200000000' } })
  expect(redactor.text('abc password 200000000')).toBe('abc password 200000000')
})

test('extra values are hidden like secret variables', () => {
  expect(createRedactor({ env: {}, extraValues: ['configured-key'] }).text('is configured-key.')).toBe('is [SECRET].')
})

test('field names decide at any depth, whatever their spelling', () => {
  const value = {
    dbPassword: 'hunter22',
    'X-Goog-Api-Key': ['abcd'],
    OPENAI_API_KEY: 'abcdef',
    pwd: 12345678,
    a: [{ refresh_token: 'zzzz' }],
  }
  expect(clean.value(value)).toEqual({
    dbPassword: '[SECRET]',
    'X-Goog-Api-Key': ['[SECRET]'],
    OPENAI_API_KEY: '[SECRET]',
    pwd: '[SECRET]',
    a: [{ refresh_token: '[SECRET]' }],
  })
  const harmless = {
    max_tokens: 5,
    token_count: 'many',
    key: 'id',
    author: 'me',
    keyboard: 'qwerty',
    password: { type: 'string' },
  }
  expect(clean.value(harmless)).toBe(harmless)
})

test('two secrets that are keys of one object stay two keys', () => {
  const value = { [String(keys[0])]: 1, [String(keys[1])]: 2 }
  expect(clean.value(value)).toEqual({ '[API_KEY]': 1, '[API_KEY]-2': 2 })
})

test('JSON inside a string keeps its layout and its numbers', () => {
  const text = '{\n  "n": 12345678901234567890,\n  "api_key": ["inner-value"]\n}'
  expect(clean.text(text)).toBe('{\n  "n": 12345678901234567890,\n  "api_key": ["[SECRET]"]\n}')
})

test('a private key that was cut off does not break the JSON around it', () => {
  const text = JSON.stringify({ key: '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA', next: 'kept' })
  expect(JSON.parse(clean.text(text))).toEqual({ key: '[PRIVATE_KEY]', next: 'kept' })
  expect(clean.text(`log: ${text}`)).toBe('log: {"key":"[PRIVATE_KEY]","next":"kept"}')
})

test('the same id keeps its placeholder, another one gets a number', () => {
  const redactor = createRedactor({ env: {}, config: { patterns: { $UUID: true, user_id: 'user_[a-z0-9]+' } } })
  const first = '123e4567-e89b-12d3-a456-426614174000'
  const second = '00000000-e89b-12d3-a456-426614174000'
  expect(redactor.text(`${first} ${second} ${first}`)).toBe('[UUID] [UUID-2] [UUID]')
  expect(redactor.value({ id: second, who: ['user_b1', 'user_c2'] })).toEqual({
    id: '[UUID-2]',
    who: ['[USER_ID]', '[USER_ID-2]'],
  })
})

test('paths of the configuration are hidden in values and lines', () => {
  const redactor = createRedactor({ env: {}, config: { paths: ["$.data['created_at']", '$.list[*].x'] } })
  expect(redactor.value({ data: { created_at: 5 }, list: [{ x: 1 }, { y: 2 }] })).toEqual({
    data: { created_at: '[REDACTED]' },
    list: [{ x: '[REDACTED]' }, { y: 2 }],
  })
  expect(redactor.line({ data: { created_at: 5 } })).toBe('{"data":{"created_at":"[REDACTED]"}}')
})

test.each([
  [{ patterns: { bad: '(' } }, 'redactions.patterns.bad is not a valid pattern'],
  [{ patterns: { $TIME: true } }, 'no built-in redaction "$TIME"'],
  [{ paths: ['data.x['] }, 'redactions.paths[0] is not a JSONPath'],
  [{ paths: ["$[?match(@.a, '(a+)+')]"] }, 'redactions.paths[0] uses match()'],
])('a bad redaction is refused: %j', (config, message) => {
  expect(() => createRedactor({ env: {}, config })).toThrow(message)
})

test('it fails closed: what cannot be redacted is not shown', () => {
  const cycle: Record<string, unknown> = { type: 'result', output: keys[0] }
  cycle['self'] = cycle
  expect(clean.line(cycle)).toBe('{"type":"result","error":"[REDACTION_ERROR]"}')
  expect(clean.value(cycle)).toBe('[REDACTION_ERROR]')
  Object.assign(cycle, { id: 'T1', run: 2, status: 'failed', output: 'not this' })
  const about = { type: 'result', id: 'T1', run: 2, status: 'failed', error: '[REDACTION_ERROR]' }
  expect(clean.record(cycle).value).toEqual(about)
  Object.assign(cycle, { id: keys[0], name: 'not kept' })
  expect(clean.line(cycle)).toBe(
    '{"type":"result","id":"[API_KEY]","run":2,"status":"failed","error":"[REDACTION_ERROR]"}',
  )
  const hostile = {
    get output(): string {
      throw new Error(keys[0])
    },
  }
  expect(clean.line(hostile)).toBe('{"type":"error","error":"[REDACTION_ERROR]"}')
})

test('what the first round uncovers is found by the second', () => {
  const npm = `npm_${'a1B2c3'.repeat(6)}`
  const aws = `AKIA${'ABCD'.repeat(4)}`
  // No word starts at the second key until the first is gone.
  expect(clean.text(`x ${npm}${aws} y`)).toBe('x [API_KEY][API_KEY] y')
  expect(clean.line({ output: npm + aws })).toBe('{"output":"[API_KEY][API_KEY]"}')
})

test('a long value is hidden to its end, a field that was cut off too', () => {
  const long = 'aB3.x-'.repeat(1000)
  expect(clean.text(`token: ${long}z next`)).toBe('token: [SECRET] next')
  expect(clean.text(`password="${long}", user=u`)).toBe('password="[SECRET]", user=u')
  expect(clean.text('said {"password":"hunt')).toBe('said {"password":"[SECRET]')
  expect(clean.text("password: it's-1\nuser: u")).toBe('password: [SECRET]\nuser: u')
})

test('lines of a log that belong together: a private key, an entry of .netrc', () => {
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    'Proc-Type: 4,ENCRYPTED',
    '',
    'MIIEpAIBAAKCAQEA',
    '-----END RSA PRIVATE KEY-----',
  ]
  const netrc = ['machine h.test', '  login ann', '  password plainword', 'password plainword']
  expect(clean.value({ logs: ['a', ...key, 'b', ...netrc] })).toEqual({
    logs: [
      'a',
      ...key.map(() => '[PRIVATE_KEY]'),
      'b',
      'machine h.test',
      '  login ann',
      '  password [SECRET]',
      'password plainword',
    ],
  })
  const mentioned = ['it begins with -----BEGIN PRIVATE KEY-----', 'and then', 'nothing']
  expect(clean.value(mentioned).slice(1)).toEqual(['and then', 'nothing'])
})

test('a private key split over lines waits in a stream until it is whole', () => {
  const stream = clean.stream()
  const key = ['before\n-----BEGIN PRI', 'VATE KEY-----\nMIIE\n', 'MIIF\n-----END PRIVATE', ' KEY-----\nafter', '\n']
  expect(key.map((chunk) => stream.write(chunk)).join('') + stream.end()).toBe('before\n[PRIVATE_KEY]\nafter\n')
})

// A quadratic rule needs minutes for these; the runner's own limit per test is the judge, not a clock of ours.
test.each([
  'eyJ',
  'sk-ant-a',
  'a://a:',
  '"a_a_',
  'authorization:',
  '-----BEGIN PRIVATE KEY-----',
  'A_TOKEN_',
  'TOKEN ',
  'bearer ',
  'xox',
  '[',
  '{"a":',
  '\\"',
  'cookie:',
  '1.1',
  'password:',
  'password=a1',
  'password: "',
  '\\"token\\":\\"',
  'key is ',
  '--token ',
  'machine a.b login c password ',
  '<secret>',
  'api key ',
  'hostile-key…',
  '…123456789',
  '"password": "Xk29fjq8LLwq", "a": "Xk29fjq8LLwq ',
])('hostile text made of %j is done in linear time', (piece) => {
  const env = { MY_API_KEY: 'hostile-key-0123456789' }
  const redactor = createRedactor({ env, normalisers: ['$TIMESTAMP', '$UUID', '$DURATION'] })
  const text = piece.repeat(Math.ceil(200_000 / piece.length))
  const once = redactor.text(text)
  expect(redactor.text(once)).toBe(once)
  expect(JSON.parse(redactor.line({ output: text }))).toHaveProperty('output')
})

const OWN_KEY = ['Zq8vTn3KpW6rXy1L', 'mB5cHd9JgFs2QaEu7Ro4Vi0t'].join('')
const ODD_KEY = 'p&ss<w"o>rd\'12!x(9)'

test('a known value is known in every spelling', () => {
  const { text } = createRedactor({ env: { MY_API_KEY: OWN_KEY, MY_PASSWORD: ODD_KEY } })
  const strict = encodeURIComponent(ODD_KEY).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  for (const spelling of [
    Buffer.from(OWN_KEY).toString('hex'),
    Buffer.from(OWN_KEY).toString('hex').toUpperCase(),
    'p&amp;ss&lt;w&quot;o&gt;rd&#39;12!x(9)',
    'p&amp;ss&lt;w"o&gt;rd&apos;12!x(9)',
    strict,
    encodeURIComponent(encodeURIComponent(ODD_KEY)),
    ODD_KEY.replace("'", String.raw`'\''`),
  ])
    expect(text(`a ${spelling} b`)).toBe('a [SECRET] b')
})

test('the beginning or the end of a known value beside a cut is hidden, and nothing else there', () => {
  const { text, line } = createRedactor({ env: { MY_API_KEY: OWN_KEY } })
  for (const kept of [8, 20, 39]) {
    expect(text(`got "abc ${OWN_KEY.slice(0, kept)}…", sorry`)).toBe('got "abc [SECRET]…", sorry')
    expect(text(`${OWN_KEY.slice(0, kept)} … ${OWN_KEY.slice(-kept)} x…`)).toBe('[SECRET] … [SECRET] x…')
    expect(line({ a: `…${OWN_KEY.slice(-kept)}` })).toBe('{"a":"…[SECRET]"}')
  }
  for (const other of [`${OWN_KEY.slice(0, 7)}…`, `${OWN_KEY.slice(0, 10)}x…`, `…x${OWN_KEY.slice(-10)}`, '……', '…'])
    expect(text(other)).toBe(other)
})

test('what one part of an event gives away is hidden in all of it, but not in what tells events apart', () => {
  const secret = ['Xk29fjq', '8LLwq'].join('')
  const { line, text } = createRedactor({ env: {} })
  const event = {
    type: 'result',
    id: secret,
    output: JSON.stringify({ password: secret }),
    message: `expected "a", got "${secret}"`,
    diff: `[-a-]{+${secret}+}`,
    list: [secret, `${secret.slice(0, 9)}…`],
    password: 'production',
    stage: 'production',
  }
  expect(JSON.parse(line(event))).toEqual({
    ...event,
    output: '{"password":"[SECRET]"}',
    message: 'expected "a", got "[SECRET]"',
    diff: '[-a-]{+[SECRET]+}',
    list: ['[SECRET]', '[SECRET]…'],
    password: '[SECRET]',
  })
  expect(text(`password: ${secret}\nIt said ${secret}.`)).toBe('password: [SECRET]\nIt said [SECRET].')
  expect(line({ message: secret })).toBe(JSON.stringify({ message: secret }))
})

test('JSON in JSON in JSON is read as what it is: a number is a password there too', () => {
  const { value } = createRedactor({ env: {} })
  const inner = { password: 4815, kind: 4815 }
  const hidden = { password: '[SECRET]', kind: 4815 }
  expect(value({ a: JSON.stringify(inner) })).toEqual({ a: JSON.stringify(hidden) })
  const twice = (given: object): string => JSON.stringify({ b: JSON.stringify(given) })
  expect(value({ a: twice(inner) })).toEqual({ a: twice(hidden) })
})

test('what a schema says about a field is judged by the name of the field', () => {
  const secret = ['hunter2-', 'Secret9'].join('')
  const { value } = createRedactor({ env: {} })
  const event = {
    schema: { properties: { password: { const: secret }, kind: { const: 'hunter2-Plain9' } } },
    message: `$.password must be equal to constant ("${secret}")`,
  }
  expect(value(event)).toEqual({
    schema: { properties: { password: { const: '[SECRET]' }, kind: { const: 'hunter2-Plain9' } } },
    message: '$.password must be equal to constant ("[SECRET]")',
  })
  expect(value({ api_key: { $in: [secret] } })).toEqual({ api_key: { $in: ['[SECRET]'] } })
})

test('what an assertion compares is judged by the name of the field', () => {
  const { text } = createRedactor({ env: {} })
  const [a, b] = [['Pw77tyu', '3MMzx'].join(''), ['Xk29fjq', '8LLwq'].join('')]
  expect(text(`output differs at $.db.password: expected "${a}", got "${b}"`)).toBe(
    'output differs at $.db.password: expected "[SECRET]", got "[SECRET]"',
  )
  expect(text(`$.client_secret is not equal: expected "${a}", got "no"`)).toContain('expected "[SECRET]", got "no"')
  const plain = `output differs at $.max_tokens: expected "${a}", got "${b}"`
  expect(text(plain)).toBe(plain)
})

test('the option min_pass_rate hides no neighbour', () => {
  const options = { min_pass_rate: 80, db_pass: 'Xk29fjq8LLwq', note: 'smtp_pass: Vq83hdk2PPzr' }
  const line = createRedactor({ env: {} }).line({ type: 'start', options })
  expect(JSON.parse(line)).toEqual({
    type: 'start',
    options: { min_pass_rate: 80, db_pass: '[SECRET]', note: 'smtp_pass: [SECRET]' },
  })
})

test('a value that was named as a key is hidden even if it is short, unless it is a common word', () => {
  const hide = (key: string): string => createRedactor({ env: {}, extraValues: [key] }).text(`I am ${key}, you know`)
  for (const key of ['k-98', 'test-key', 'sk-123', ' k-98\n', 'swordfish', 'fish', '48151'])
    expect(hide(key)).toBe('I am [SECRET], you know'.replace('[SECRET]', key.replace(key.trim(), '[SECRET]')))
  for (const key of ['ollama', 'none', 'x', '1', '1234', 'password', 'k-9']) expect(hide(key)).toContain(key)
})

test('a short secret is hidden where it stands alone, and never in a key or a word of ours', () => {
  const redactor = createRedactor({
    env: { DB_PASS: 'turn', API_KEY: '4815', PIN_TOKEN: 'input', AUTH_MODE: 'approle' },
  })
  expect(redactor.text('turn "turn" 4815 148150 turning approle')).toBe(
    '[SECRET] "[SECRET]" [SECRET] 148150 turning approle',
  )
  expect(redactor.value({ type: 'turn', input: 'it is input', output: { turn: 'turn' } })).toEqual({
    type: 'turn',
    input: 'it is [SECRET]',
    output: { turn: '[SECRET]' },
  })
})

test('it knows which variables it has hidden', () => {
  const looks = 'Zk3vQ9xT7mW1pL5sR8bN'
  const redactor = createRedactor({ env: { A_TOKEN: 'abcd-1234', FOO: looks, BAR: 'x9Y8z7W6v5U4t3S2r1Q0' } })
  expect(redactor.hidden()).toEqual([])
  redactor.line({ type: 'result', output: `abcd-1234 and ${Buffer.from(looks).toString('base64')}` })
  expect(redactor.hidden()).toEqual([
    { name: 'A_TOKEN', byLook: false },
    { name: 'FOO', byLook: true },
  ])
})

test('megabytes without a break are looked at like anything else', () => {
  const redactor = createRedactor({ env: { API_TOKEN: 'a-secret-of-ours-91' } })
  const base64 = 'iVBORw0KGgoAAAAN'.repeat(1_400_000)
  expect(redactor.value({ base64, said: 'it is a-secret-of-ours-91' })).toEqual({
    base64,
    said: expect.stringMatching(/^it is \[/) as string,
  })
})
