// What verdicts are compared on: answers, assertions as people write them, and suites that need files of their own.

export const ANSWERS = [
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
  // Hostile ones. An answer with nothing to see in it is missing: it is an error of the agent, whatever the checks say.
  `${'so on and on, '.repeat(1500)}Paris`,
  '{"a": {"b": {"c": [1, {"d": null}]}}, "city": "Paris"}',
  '{\n  // where it is\n  "city": "Paris", /* how big */ "size": 2\n}',
  '{"size": 3} and then {"city": "Paris"}',
  '{"city": "Paris"} and then {"size": 3}',
  '1e3',
  '{"size": 1E+2, "city": "x", "ratio": -0.0}',
  '<!DOCTYPE html><html><body><p class="x">Paris &amp; Lyon</p></body></html>',
  '<p>One<br>two',
  '```python\nprint({"city": "Paris"})\n```',
  '```sql\nSELECT city FROM towns WHERE size > 2\n```',
  '{"city": "a } brace", "size": 1}',
  "{city: 'Paris', size: 2, open: yes,}",
  "it's {not json: at all",
  '{x: {"city": "Paris"}}',
  '🗼 Paris 東京 e\u0301 👩‍👩‍👧',
  '{"city": "Paris", "email": "a@b", "day": "2024-02-30", "tags": ["x", "x"]}',
  '{"city": "Paris", "email": "ann@example.com", "day": "2024-02-29", "tags": ["x", "y"]}',
  '<city><name>Paris</name><name>Lutetia</name></city>',
  '<c:city xmlns:c="urn:c" size="2"><c:name/></c:city>',
  '<city><c:name>Paris</c:name></city>',
  '<city name=Paris>&nbsp;</city>',
  '{"city": "Paris"}}',
  '{"__proto__": {"city": "Paris"}}',
  'I cannot help with that.',
  'NaN',
]

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, size: { type: 'number' } },
  required: ['city'],
}

const SCHEMAS = [
  { type: 'object', additionalProperties: false, properties: { city: { type: 'string' } } },
  { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
  { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] },
  { properties: { tags: { type: 'array', items: { enum: ['x', 'y'] }, uniqueItems: true, minItems: 1 } } },
  { type: 'string', maxLength: 5 },
  { type: ['object', 'array', 'null'] },
  { anyOf: [{ type: 'integer', minimum: 1000 }, { type: 'array', contains: { const: 2 } }, { required: ['size'] }] },
  { oneOf: [{ required: ['city'] }, { required: ['size'] }] },
  { not: { required: ['size'] }, type: 'object' },
  // As text: a reference in the configuration would be one into the configuration.
  JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { town: { type: 'string', pattern: '^[A-Z]', minLength: 2 } },
    type: 'object',
    properties: { city: { $ref: '#/definitions/town' }, size: { type: 'integer', exclusiveMaximum: 3 } },
    required: ['city'],
  }),
  '{if: {required: [size]}, then: {properties: {size: {multipleOf: 2}}}, else: {required: [city]}}',
  { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
  { type: 'object', properties: { city: { type: 'text' } } },
  { type: 'object', required: ['city'], nosuch: true },
]

const CHECKS = [
  { type: 'contains', value: 'Paris' },
  { type: 'contains', value: 4 },
  { type: 'contains', value: true },
  { type: 'contains', value: 'b*c (x) [y]' },
  { type: 'contains', value: '{{answer}}' },
  { type: 'contains', value: '{{ city | upper }}' },
  { type: 'contains', value: '{% if city %}{{ city }}{% else %}x{% endif %}' },
  { type: 'contains', value: '{{ nothing }}' },
  { type: 'icontains', value: 'PARIS' },
  { type: 'icontains', value: 'strasse' },
  { type: 'icontains', value: 'CAFÉ' },
  { type: 'icontains', value: false },
  { type: 'contains-all', value: ['one', 'three'] },
  { type: 'contains-all', value: 'Paris, nice' },
  { type: 'contains-all', value: ['{{city}}', 'is'] },
  { type: 'contains-all', value: ['Paris', 2] },
  { type: 'contains-any', value: ['Lyon', 'Paris'] },
  { type: 'contains-any', value: 'Lyon, "France is Paris", x' },
  { type: 'contains-any', value: '"so ""quoted""", \\"x, é' },
  { type: 'contains-any', value: 7 },
  { type: 'icontains-all', value: ['paris', 'lyon'] },
  { type: 'icontains-any', value: ['LYON', 'MARSEILLE'] },
  { type: 'equals', value: 'Paris' },
  { type: 'equals', value: '{{answer}}' },
  { type: 'equals', value: 42 },
  { type: 'equals', value: '42' },
  { type: 'equals', value: true },
  { type: 'equals', value: null },
  { type: 'equals', value: { size: 2, city: 'Paris' } },
  { type: 'equals', value: { city: 'Paris' } },
  { type: 'equals', value: [1, 2, 3] },
  { type: 'equals', value: 'null' },
  { type: 'starts-with', value: 'The' },
  { type: 'starts-with', value: 'a.b*c (' },
  { type: 'starts-with', value: '{' },
  { type: 'starts-with', value: 4 },
  { type: 'regex', value: '^Paris$' },
  { type: 'regex', value: 'paris' },
  { type: 'regex', value: '(?i)paris' },
  { type: 'regex', value: '^line two.*$' },
  { type: 'regex', value: 'one.*three' },
  { type: 'regex', value: '(?<=is )Paris' },
  { type: 'regex', value: '\\d+%' },
  { type: 'regex', value: '(\\w+) \\1' },
  { type: 'regex', value: '[' },
  { type: 'regex', value: 42 },
  { type: 'regex', value: '^.{0,20}$' },
  { type: 'regex', value: '\\b{{city}}\\b' },
  { type: 'is-json' },
  { type: 'is-json', value: SCHEMA },
  { type: 'is-json', value: 'required: [size]\ntype: object' },
  { type: 'contains-json' },
  { type: 'contains-json', value: SCHEMA },
  { type: 'contains-json', value: '{"required": ["size"]}' },
  { type: 'word-count', value: 3 },
  { type: 'word-count', value: '5' },
  { type: 'word-count', value: { min: 2, max: 4 } },
  { type: 'word-count', value: { min: 4 } },
  { type: 'word-count', value: { max: 1 } },
  { type: 'word-count', value: { min: 5, max: 2 } },
  { type: 'levenshtein', value: 'Pariz' },
  { type: 'levenshtein', value: 'one two three', threshold: 2 },
  { type: 'levenshtein', value: 'Paris', threshold: 0 },
  { type: 'levenshtein', value: 42 },
  { type: 'bleu', value: 'The capital of France is Paris' },
  { type: 'bleu', value: ['one two three', 'the capital is paris'], threshold: 0.3 },
  { type: 'bleu', value: 'Paris {{city}}', threshold: 0.01 },
  { type: 'gleu', value: 'The capital of France is Paris' },
  { type: 'gleu', value: ['one two three four', 'Lyon, Marseille and Nice'], threshold: 0.6 },
  { type: 'gleu', value: 'naïve café', threshold: 0 },
  { type: 'is-xml' },
  { type: 'is-xml', value: 'city.name' },
  { type: 'is-xml', value: ['city', 'city.name'] },
  { type: 'is-xml', value: { requiredElements: ['c:city.c:name'] } },
  { type: 'is-xml', value: 'city.name.first' },
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
  { type: 'javascript', value: '"true"' },
  { type: 'javascript', value: 'NaN' },
  { type: 'javascript', value: 'output.includes("Paris") ? Number("x") : 1' },
  { type: 'javascript', value: 'Infinity' },
  { type: 'javascript', value: '-1' },
  { type: 'javascript', value: 'Promise.resolve(output.length > 5)' },
  { type: 'javascript', value: 'Promise.reject(new Error("no"))' },
  { type: 'javascript', value: 'this is not code' },
  { type: 'javascript', value: '({ pass: output.includes("Paris") })' },
  { type: 'javascript', value: '({ pass: true, score: 1 })' },
  { type: 'javascript', value: '({ pass: true, score: "1", reason: "x" })' },
  { type: 'javascript', value: '({ pass: false, score: 1, reason: "" })', threshold: 0.5 },
  { type: 'javascript', value: '({ pass: true, score: 0.1, reason: "" })', threshold: 0.5 },
  { type: 'javascript', value: '({ pass: true, score: NaN, reason: "" })' },
  { type: 'javascript', value: '(output) => output.includes("Paris")' },
  { type: 'javascript', value: '((text) => text.includes("Paris"))(output)' },
  { type: 'javascript', value: 'output.trim().split(/\\s+/).length <= 5;' },
  { type: 'javascript', value: 'output.includes("{{city}}")' },
  { type: 'javascript', value: 'context.config.least < output.length', config: { least: 6 } },
  { type: 'javascript', value: 'context.test.vars.city === "Paris" && context.vars.city === "Paris"' },
  { type: 'javascript', value: 'context.providerResponse.output === output' },
  { type: 'javascript', value: 'let n = 0; for (const c of output) n += 1; n > 8' },
  { type: 'javascript', value: 'const words = output.split(" ")\nreturn words.length > 2\n' },
  { type: 'javascript', value: 'Math.min(output.length / 20, 1)', threshold: 0.5 },
  { type: 'javascript', value: 'throw new Error("no")' },
  { type: 'javascript', value: 'null' },
  { type: 'latency', threshold: 600_000 },
  { type: 'contains', value: 'PARIS', transform: 'output.toUpperCase()' },
  { type: 'equals', value: 'Paris', transform: 'JSON.parse(output).city' },
  { type: 'is-json', transform: 'output.replace(/^[^{]*|[^}]*$/g, "")' },
  { type: 'is-json', value: SCHEMA, transform: 'JSON.parse(output)' },
  { type: 'equals', value: { n: 5 }, transform: '({ n: output.length })' },
  { type: 'contains', value: 5, transform: 'output.length' },
  { type: 'contains', value: 'x', transform: 'undefined' },
  { type: 'gleu', value: 'x', transform: '""' },
  { type: 'bleu', value: 'x', transform: '""' },
  { type: 'word-count', value: 0, transform: '""' },
  { type: 'javascript', value: 'output.length > 2', transform: 'output.split(" ")' },
  { type: 'contains', value: 'paris', transform: 'const text = output.trim()\nreturn text.toLowerCase()' },
  { type: 'contains', value: 'Paris', transform: 'context.vars.city' },
  { type: 'contains', value: 'Paris', weight: 0 },
  { type: 'contains', value: 'Paris', metric: 'names it' },
]

const SCHEMA_CHECKS = SCHEMAS.flatMap((value) => [
  { type: 'is-json', value },
  { type: 'contains-json', value },
])

const PYTHON = [
  { type: 'python', value: "'Paris' in output" },
  { type: 'python', value: 'len(output) / 40', threshold: 0.5 },
  { type: 'python', value: "n = len(output)\nreturn {'pass': n > 5, 'score': n / 100, 'reason': 'x'}" },
  { type: 'python', value: "{'pass': True, 'score': 1}" },
  { type: 'python', value: "'0.7' if 'Paris' in output else 'FALSE'" },
  { type: 'python', value: "'5 apples'" },
  { type: 'python', value: "context['vars']['answer'] == output" },
  { type: 'python', value: 'file://check.py' },
  { type: 'python', value: 'file://check.py', threshold: 0.5 },
  { type: 'python', value: 'file://check.py:short' },
  { type: 'python', value: 'file://check.py:bare' },
]

/** Known to have no counterpart: they must stay skipped, never green. */
const LEFT = [
  { type: 'rouge-n', value: 'The capital of France is Paris' },
  { type: 'is-html' },
  { type: 'contains-html' },
  { type: 'is-sql' },
  { type: 'contains-sql' },
  { type: 'contains-xml' },
  { type: 'is-refusal' },
  { type: 'is-valid-openai-tools-call' },
]

const A = { type: 'contains', value: 'Paris' }
const B = { type: 'contains', value: 'one' }
const C = { type: 'icontains', value: 'paris' }
const SCORE = { type: 'javascript', value: 'output.length > 10 ? 0.4 : 1' }

const SETS = [
  [{ type: 'assert-set', assert: [A, B] }],
  [{ type: 'assert-set', threshold: 0.5, assert: [A, B] }],
  [{ type: 'assert-set', threshold: 0.6, assert: [A, B, C] }],
  [{ type: 'assert-set', threshold: 0.34, assert: [A, B, C] }],
  [{ type: 'assert-set', threshold: 0.3333333333333333, assert: [A, B, C] }],
  [{ type: 'assert-set', threshold: 1, assert: [A, C] }],
  [{ type: 'assert-set', threshold: 0.7, assert: [{ ...A, weight: 3 }, B] }],
  [{ type: 'assert-set', threshold: 0.25, assert: [{ ...A, weight: 3 }, B] }, B],
  [
    {
      type: 'assert-set',
      threshold: 0.8,
      assert: [
        { ...C, weight: 0.7 },
        { ...A, weight: 0.1 },
        { ...B, weight: 0.2 },
      ],
    },
  ],
  [{ type: 'assert-set', threshold: 0, assert: [A] }],
  [{ type: 'assert-set', assert: [{ ...B, weight: 0 }, A] }],
  [A, B],
  [{ ...A, weight: 5 }, B],
  [
    {
      type: 'assert-set',
      threshold: 0.45,
      assert: [A, { type: 'javascript', value: 'output.length > 10 ? 0.4 : 0.9' }],
    },
  ],
  [A, { type: 'is-json', value: SCHEMA }, { type: 'word-count', value: { max: 9 } }],
]

const TESTS = [
  { threshold: 0.5, assert: [A, B] },
  { threshold: 0.6, assert: [A, B, C] },
  { threshold: 0.6666666666666666, assert: [A, B, C] },
  { threshold: 0.75, assert: [{ ...A, weight: 3 }, B] },
  { threshold: 0.2, assert: [{ ...A, weight: 3 }, B] },
  {
    threshold: 0.8,
    assert: [
      { ...C, weight: 0.7 },
      { ...A, weight: 0.1 },
      { ...B, weight: 0.2 },
    ],
  },
  {
    threshold: 0.3,
    assert: [
      { ...C, weight: 0.1 },
      { ...A, weight: 0.2 },
      { ...B, weight: 0.7 },
    ],
  },
  { threshold: 0.5, assert: [{ ...A, weight: 0 }, B] },
  { threshold: 1, assert: [A, C] },
  { threshold: 0, assert: [A] },
  { threshold: 0, assert: [SCORE, { type: 'javascript', value: '-3' }] },
  { threshold: 0.5, assert: [SCORE, A] },
  { threshold: 0.4, assert: [{ ...SCORE, weight: 2 }, A, B] },
  { threshold: 0.5, assert: [{ type: 'javascript', value: 'output.length' }, A] },
  { threshold: 0.5, assert: [{ type: 'javascript', value: 'NaN' }, A, C, C] },
  { threshold: 0.5, assert: [{ type: 'not-javascript', value: 'output.length > 10 ? 0.4 : 1' }, A] },
  { threshold: 0.5, assert: [{ type: 'javascript', value: 'JSON.parse(output).size' }, A, C] },
  { threshold: 0.5, assert: [SCORE, { type: 'is-json', value: SCHEMA }] },
  { threshold: 0.5, assert: [SCORE, { type: 'contains-json' }, { type: 'not-is-xml' }] },
  { threshold: 0.5, assert: [SCORE, { type: 'latency', threshold: 600_000 }] },
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
  {
    threshold: 0.6,
    assert: [
      { type: 'assert-set', weight: 2, assert: [A, B] },
      { ...C, weight: 0.5 },
    ],
  },
  { options: { transform: 'output.trim().toLowerCase()' }, assert: [{ type: 'contains', value: 'paris' }] },
  {
    options: { transform: '({ text: output })' },
    assert: [
      { type: 'is-json', value: { required: ['text'] } },
      { type: 'javascript', value: 'output.text.length > 5' },
    ],
  },
  {
    options: { transform: 'JSON.parse(output)' },
    assert: [{ type: 'javascript', value: 'output.city === "Paris"', transform: 'output' }],
  },
]

const SHAPES = [...[...CHECKS, ...LEFT, ...SETS].map((check) => ({ assert: [check].flat() })), ...TESTS]

function negated(checks) {
  return checks.map((check) => ({ assert: [{ ...check, type: `not-${check.type}` }] }))
}

const cell = (text) => `"${text.replaceAll('"', '""')}"`
const table = (rows) => rows.map((row) => `${row.map(cell).join(',')}\n`).join('')

/** Cells of the columns `__expected`, `__expected2` and `__threshold`. */
const CELLS = [
  ['Paris', '', ''],
  ['contains: Paris', '', ''],
  ['not-contains: Paris', 'icontains:paris', ''],
  ['contains-any: Lyon, "France is Paris"', '', ''],
  ['contains-all: one,two', 'starts-with: one', '0.5'],
  ['starts-with(0.5): The', '', ''],
  ['regex: ^\\w+$', '', ''],
  ['is-json', '', ''],
  ['contains-json: {"required": ["city"]}', '', ''],
  ['levenshtein(3): Pariz', '', ''],
  ['levenshtein: Paris', '', ''],
  ['word-count: 3', '', ''],
  ['javascript: output.length > 10', 'fn:output.length < 40', ''],
  ['eval: output === "Paris"', '', ''],
  ['file://checks.js', '', ''],
  ['latency(600000)', '', ''],
  ['not-is-json', 'contains: a: b', '0.5'],
  ['no-such-thing: x', '', ''],
  ['is-xml: city.name', '', ''],
  ['equals: Paris', '', ''],
  ['contains: Paris', 'contains: Lyon', ' '],
]

const FILES = {
  'checks.js': `module.exports = (output, context) => output.includes(context.vars.city)\n`,
  'named.mjs': `export const long = (output) => ({ pass: output.length > 10, score: Math.min(1, output.length / 40), reason: 'long' })
export const half = () => ({ pass: true })
export async function number(output) { return output.length / 20 }
`,
  'both.mjs': `export const named = (output) => output.length > 10
export default (output) => output === 'Paris'
`,
  'object.cjs': `module.exports = { named: (output) => output.length > 10 }\n`,
  'typed.ts': `export default (output: string, context: { vars: Record<string, string> }): boolean => output.startsWith(context.vars.city ?? '')\n`,
  'check.py': `def get_assert(output, context):
    return {'pass': 'Paris' in output, 'score': 0.4, 'reason': context['vars']['city']}

def short(output, context):
    return len(output) < 10

def bare(output, context):
    return {'pass': True}
`,
  'schema.json': JSON.stringify(SCHEMA),
  'schema.yaml': 'type: object\nrequired: [size]\n',
  'words.txt': 'Paris\n',
}

const FILE_CHECKS = [
  { type: 'javascript', value: 'file://checks.js' },
  { type: 'javascript', value: 'file://named.mjs:long' },
  { type: 'javascript', value: 'file://named.mjs:half' },
  { type: 'javascript', value: 'file://named.mjs:number', threshold: 0.5 },
  { type: 'javascript', value: 'file://named.mjs' },
  { type: 'javascript', value: 'file://both.mjs' },
  { type: 'javascript', value: 'file://both.mjs:named' },
  { type: 'javascript', value: 'file://object.cjs:named' },
  { type: 'javascript', value: 'file://typed.ts' },
  { type: 'is-json', value: 'file://schema.json' },
  { type: 'contains-json', value: 'file://schema.yaml' },
  { type: 'contains', value: 'file://words.txt' },
  { type: 'contains-any', value: ['file://words.txt', 'Lyon'] },
]

const named = (name, answer, shape) => ({ description: name, vars: { answer, city: 'Paris' }, ...shape })
const echo = { prompts: ['{{answer}}'], providers: ['echo'] }

/** What an answer comes with when a model gives it; the answer to a question is the question. */
const SERVED = [
  { assert: [{ type: 'finish-reason', value: 'stop' }] },
  { assert: [{ type: 'not-finish-reason', value: 'stop' }] },
  { assert: [{ type: 'finish-reason', value: 'LENGTH' }] },
  { assert: [{ type: 'not-finish-reason', value: 'length' }] },
  { assert: [{ type: 'latency', threshold: 600_000 }] },
  { assert: [{ type: 'not-latency', threshold: 600_000 }] },
  { assert: [{ type: 'cost', threshold: 5 }] },
  { assert: [{ type: 'not-cost', threshold: 5 }] },
  { assert: [{ type: 'cost', threshold: 0.0001 }] },
  { assert: [{ type: 'not-cost', threshold: 0.0001 }] },
  { assert: [{ type: 'contains', value: 'Paris' }] },
  { assert: [{ type: 'is-json', value: SCHEMA }] },
  {
    assert: [
      { type: 'javascript', value: 'typeof output === "object" ? output.city === "Paris" : output.length > 20' },
    ],
  },
  { assert: [{ type: 'equals', value: { city: 'Paris' } }] },
]

/** Each is a folder with a configuration; the description of a test is its name. */
export function suites(host) {
  const served = (config) => ({
    // A prompt that is JSON would be a conversation.
    prompts: ['Say {{answer}}'],
    providers: [
      { id: 'openai:chat:gpt-4o-mini', config: { apiBaseUrl: host, temperature: 0, cost: 0.0001, ...config } },
    ],
  })
  return [
    { name: 'assertions', config: { ...echo, tests: each(ANSWERS, SHAPES, 'a') }, files: {} },
    {
      name: 'schemas',
      config: {
        ...echo,
        tests: each(
          ANSWERS.filter((answer) => /["{[\d]/.test(answer)),
          [...SCHEMA_CHECKS.map((check) => ({ assert: [check] })), ...negated(SCHEMA_CHECKS)],
          's',
        ),
      },
      files: {},
    },
    { name: 'negations', config: { ...echo, tests: each(ANSWERS, negated([...CHECKS, ...LEFT]), 'n') }, files: {} },
    {
      name: 'defaults',
      config: {
        ...echo,
        defaultTest: {
          vars: { city: 'Paris' },
          assert: [{ type: 'not-contains', value: 'error' }, A],
          options: { transform: 'output.trim()' },
          threshold: 0.6,
        },
        tests: each(
          ANSWERS,
          [
            {},
            { assert: [B] },
            { threshold: 1, assert: [C] },
            { options: { disableDefaultAsserts: true }, assert: [C] },
            { options: { transform: 'output.toUpperCase()' } },
            { threshold: 0.2, assert: [B, B] },
          ],
          'd',
        ),
      },
      files: {},
    },
    {
      name: 'files',
      config: {
        ...echo,
        tests: each(ANSWERS, [...FILE_CHECKS.map((check) => ({ assert: [check] })), ...negated(FILE_CHECKS)], 'f'),
      },
      files: FILES,
    },
    {
      name: 'tables',
      config: { ...echo, tests: 'file://tests.csv' },
      files: {
        ...FILES,
        'tests.csv': table([
          ['answer', 'city', '__expected', '__expected2', '__threshold', '__description'],
          ...ANSWERS.flatMap((answer, at) =>
            CELLS.map((cells, index) => [answer, 'Paris', ...cells, `t/${at}/${index}`]),
          ),
        ]),
      },
    },
    {
      name: 'python',
      config: {
        ...echo,
        tests: each(
          ANSWERS.filter((_, at) => at % 7 === 0),
          [...PYTHON.map((check) => ({ assert: [check] })), ...negated(PYTHON)],
          'p',
        ),
      },
      files: FILES,
    },
    { name: 'models', config: { ...served({}), tests: each(ANSWERS, SERVED, 'm') }, files: {} },
    ...['json_object', 'json_schema'].map((type) => ({
      name: `models with ${type}`,
      config: {
        ...served({
          response_format: { type, ...(type === 'json_schema' && { json_schema: { name: 'x', schema: {} } }) },
        }),
        tests: each(ANSWERS, SERVED, type),
      },
      files: {},
    })),
  ]
}

function each(answers, shapes, prefix) {
  return answers.flatMap((answer, at) => shapes.map((shape, index) => named(`${prefix}/${at}/${index}`, answer, shape)))
}
