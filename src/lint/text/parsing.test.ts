import { assert as holds, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import type { Instructions } from '../subject.js'
import { readFrontmatter } from './frontmatter.js'
import { readMarkdown } from './markdown.js'
import { referencesIn } from './references.js'
import { secretsIn } from './secrets.js'
import { statementsIn } from './statements.js'
import { estimateTokens } from './tokens.js'
import { weaknessOf } from './vague.js'

const unit = 'binary'

test('no text makes a parser fail, and places lie inside it', async () => {
  holds(
    property(string({ unit, maxLength: 300 }), (text) => {
      const lines = text.split('\n')
      const { links, spans } = readMarkdown(text)
      const places = [...links, ...spans, ...statementsIn(text), ...secretsIn(text, 'x')]
      for (const { line = 1, column = 1 } of places) {
        expect(line).toBeLessThanOrEqual(lines.length)
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1)
      }
      expect(estimateTokens(text)).toBeLessThanOrEqual(text.length)
    }),
  )
  for (const text of [
    '',
    '---',
    '---\n',
    '---\n---',
    '---\n---\n',
    '---\r\nname: x\r\n---\r\nbody',
    '\uFEFF---\nname: x\n---\n',
  ])
    await expect(readFrontmatter(text)).resolves.toBeDefined()
})

test('hostile frontmatter ends in a problem, not in a hang', async () => {
  const bomb = `a: &a [x,x,x,x]\n${'bcdefghi'
    .split('')
    .map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}]`)
    .join('\n')}`
  const { fields } = await readFrontmatter(`---\n${bomb}\nname: x\n---\n`)
  expect(fields?.get('i')?.value).toBeNull()
  expect((await readFrontmatter(`---\n${'['.repeat(20_000)}\n---\n`)).problem).toBeDefined()
})

test('a line of the frontmatter is a line of the file', async () => {
  const { fields, bodyLine, body } = await readFrontmatter(
    '---\nname: x\ndescription: >\n  two\n  lines\nlicense: MIT\n---\nBody\n',
  )
  expect([fields?.get('name')?.line, fields?.get('license')?.line, bodyLine]).toEqual([2, 6, 7])
  expect(body.trim()).toBe('Body')
})

const text = (content: string, paths: string[] = [], isMain = true): Instructions => ({
  file: 'SKILL.md',
  firstLine: 1,
  text: content,
  paths: new Set(paths),
  outside: new Set(),
  base: '',
  isMain,
  tools: undefined,
})

const dead = (content: string, paths: string[] = [], isMain = true): string[] =>
  referencesIn(text(content, paths, isMain))
    .filter(({ isThere }) => !isThere)
    .map(({ path }) => path)

test.each<[string, string, string[]]>([
  ['a link', '[a](b.md)', ['b.md']],
  ['with a title and an anchor', '[a](b.md#top "B")', ['b.md']],
  ['with blanks', '[a](<b c.md>) and [d](e%20f.md)', ['b c.md', 'e f.md']],
  ['an image', '![a](assets/b.png)', ['assets/b.png']],
  ['a definition', '[a]: b.md', ['b.md']],
  ['code in the folders of the convention', 'Run `scripts/a.py` now', ['scripts/a.py']],
  ['a command', '```sh\npython scripts/a.py --x\n```', ['scripts/a.py']],
  ['addresses, anchors and absolute paths', '[a](https://x.y/z.md) [b](#c) [d](/etc/x.md) [e](mailto:a@b.c)', []],
  ['placeholders', '[a](path/to/b.md) [c](<file>.md) `scripts/<name>.py` `references/*.md` [d]({x}/y.md)', []],
  ['a link inside code', '`[a](b.md)`\n```\n[a](b.md)\n```', []],
  ['examples', 'For example, `scripts/rotate.py` or `references/api.md`', []],
  ['a file of the user', 'Write `src/index.ts` and `report.md`', []],
  ['another skill', "See `other-skill`'s `references/x.md`", []],
  ['a footnote', 'Text[^1]\n\n[^1]: Mermaid. "Mermaid tool." and more', []],
  ['a file of another skill', 'Use `social` (see its `references/x.md`), or the plugin `scripts/y.sh`', []],
  ['arguments after a script', 'Run `scripts/a.sh hooks/hooks.json` now', ['scripts/a.sh']],
  ['a variable as root', 'Run `${ROOT}/scripts/x.py` (and `scripts/y.py`)', []],
])('references: %s', (_what, content, expected) => {
  expect(dead(content)).toEqual(expected)
})

test('a file that is there is not dead, from the file or from the root', () => {
  expect(dead('[a](b.md) `scripts/c.py`', ['b.md', 'scripts', 'scripts/c.py'])).toEqual([])
  expect(dead('`scripts/c.py`', [], false)).toEqual([])
  expect(dead('`scripts/c.py`', ['scripts'], false)).toEqual(['scripts/c.py'])
})

const objects = (content: string): string[] =>
  statementsIn(content).map(({ isDemand, object }) => `${isDemand ? '+' : '-'} ${object}`)

test('statements: what is demanded or forbidden, with its conditions', () => {
  expect(objects('- Always use tabs.\n- Never use tabs.')).toEqual(['+ use tab', '- use tab'])
  expect(objects('You must not commit secrets. Do not commit secrets.')).toEqual(['- commit secret', '- commit secret'])
  expect(objects('Always commit when tests pass.\nNever commit when tests fail.')).toEqual([
    '+ commit when test pass',
    '- commit when test fail',
  ])
})

test.each([
  ['code', '```\nAlways use tabs.\n```'],
  ['a quotation', '> Always use tabs.'],
  ['a table', '| Always use tabs. |'],
  ['an example', '❌ Always use tabs.'],
  ['what somebody says', '- "Always use tabs" is what people say.'],
  ['a description', 'The tool must always use tabs, and never use spaces.'],
])('statements: not %s', (_what, content) => {
  expect(objects(content)).toEqual([])
})

const KEY = ['ghp', 'Zk3vQ9xT1bLm7RwY2cNd8FhJ4sGp6AeUqX0o'].join('_')

test('secrets: what looks like one is found, what is an example is not', () => {
  expect(secretsIn(`a\nb ${KEY} c`, 'x')).toEqual([{ file: 'x', line: 2, column: 3, kind: 'github' }])
  for (const harmless of [
    `ghp_${'x'.repeat(36)}`,
    'password = "your-password-here"',
    'password: "Test123!"',
    'PASSWORD=changeme',
    'token = os.environ["TOKEN"]',
    'key: AKIAIOSFODNN7EXAMPLE',
    'dim_pass = acceptable',
    'password: "P@ssw0rd123!"',
    'password: "TempPass2024!"',
    'password: `StrongPass@2025!`',
    'password = "hunter2"',
    '"folderKey": "c4359cde-55f0-4f0e-9322-c6cdce74ab4c"',
    'Signature: 8a477f597d28d172789f06886806bc55',
    `private_key = "${['-----BEGIN RSA PRIVATE', 'KEY-----'].join(' ')}"`,
    [
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
      'eyJzdWIiOiIxMjM0NTY3ODkwIiwiaWF0IjoxNTE2MjM5MDIyfQ',
      'L8i6g3PfcHlioHCCPURC9pmXT7gdJpx3kOoyAfNUwCc',
    ].join('.'),
    '{"Authorization": "Bearer token"}',
    'import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol"',
  ])
    expect([harmless, secretsIn(harmless, 'x')]).toEqual([harmless, []])
  for (const secret of [
    `password = "${['hq8Zr2vW', 'Lk91'].join('')}"`,
    `api_key: "${['c4359cde-55f0-4f0e', '9322-c6cdce74ab4c'].join('-')}"`,
    `${['-----BEGIN RSA PRIVATE', 'KEY-----'].join(' ')}\n${'MIIEowIBAAKCAQEAx7Zk3vQ9'.repeat(3)}\n${['-----END RSA PRIVATE', 'KEY-----'].join(' ')}`,
  ])
    expect([secret, secretsIn(secret, 'x').length]).toEqual([secret, 1])
})

test('weak descriptions', () => {
  expect(weaknessOf('Gets the weather.', 'get_weather', 3)?.kind).toBe('repeats')
  expect(weaknessOf('A useful tool for various tasks.', 'swiss', 3)?.kind).toBe('vague')
  expect(weaknessOf('TODO: describe', 'x', 3)?.kind).toBe('placeholder')
  expect(weaknessOf('Helps with PDFs.', 'documents', 3)).toEqual({ kind: 'short', words: 2 })
  expect(weaknessOf('Extracts text and tables from PDF files.', 'pdf', 3)).toBeUndefined()
})
