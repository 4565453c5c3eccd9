// `viva lint` as a user meets it: every rule finds what was planted for it and nothing else, and the rest is about bad use,
// formats and hostile folders.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../src/lint/finding.js'
import type { LintReport } from '../../src/lint/lint.js'
import { RULES } from '../../src/lint/registry.js'
import { makeFolder, ROOT, viva, writeFiles, type CliRun } from '../support/run-cli.js'
import {
  BAD_PACKAGE,
  BAD_SKILLS,
  BAD_TOOLS,
  DATABASE_PASSWORD,
  GITHUB_TOKEN,
  GOOD_PACKAGE,
  GOOD_SKILL,
  GOOD_TOOLS,
  serverScript,
  skillText,
} from './planted.js'

async function lint(dir: string, ...args: string[]): Promise<LintReport & { code: number | null }> {
  const { stdout, stderr, code } = await viva(['lint', ...args, '--format', 'json'], { cwd: dir })
  expect(stdout, stderr).not.toBe('')
  return { ...(JSON.parse(stdout) as LintReport), code }
}

const where = ({ file, line, column }: Finding): string =>
  [file, line, column].filter((part) => part !== undefined).join(':')

const placed = ({ findings }: LintReport): string[] =>
  findings.map((finding) => `${finding.severity} ${finding.rule} ${where(finding)}`).toSorted()

const ruled = ({ findings }: LintReport): string[] =>
  findings.map(({ severity, rule }) => `${severity} ${rule}`).toSorted()

/** The rules that found something anywhere below. */
const fired = new Set<string>()

function note(report: LintReport): void {
  for (const { rule } of report.findings) fired.add(rule)
}

test('a skill without mistakes has no findings', async () => {
  const report = await lint(makeFolder(GOOD_SKILL), 'pdf-tools')
  expect(report).toMatchObject({ code: 0, findings: [], errors: 0, warnings: 0, notes: 0 })
  expect(report.subjects).toMatchObject([{ kind: 'skill', label: 'pdf-tools' }])
})

test('each mistake in a skill is found where it is, and nothing else', async () => {
  const dir = makeFolder()
  for (const [files] of BAD_SKILLS) writeFiles(dir, files)
  const report = await lint(dir)
  note(report)
  expect(placed(report)).toEqual(BAD_SKILLS.flatMap(([, findings]) => findings).toSorted())
  expect(report.code).toBe(1)
})

test('a server without mistakes has no findings', async () => {
  const dir = makeFolder({ 'server.mjs': serverScript({ 'tools/list': { tools: GOOD_TOOLS } }) })
  const report = await lint(dir, 'node server.mjs')
  expect(report).toMatchObject({ code: 0, findings: [] })
  expect(report.subjects).toMatchObject([{ kind: 'server', label: 'node server.mjs', tools: 2 }])
})

test('each mistake in a list of tools is found, and nothing else', { timeout: 120_000 }, async () => {
  const dir = makeFolder()
  const names = BAD_TOOLS.map(([tools], index) => {
    writeFiles(dir, { [`${index}.mjs`]: serverScript({ 'tools/list': { tools } }) })
    return `node ${index}.mjs`
  })
  const report = await lint(dir, ...names)
  note(report)
  const found = (name: string): string[] =>
    ruled({ ...report, findings: report.findings.filter(({ subject }) => subject === name) })
  expect(names.map(found)).toEqual(BAD_TOOLS.map(([, rules]) => rules.toSorted()))
})

test('prompts and resources are listed, too', async () => {
  const lists = {
    'tools/list': { tools: GOOD_TOOLS },
    'prompts/list': { prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }] },
    'resources/list': { resources: [{ name: 'log', uri: 'file:///log' }] },
  }
  const report = await lint(makeFolder({ 'server.mjs': serverScript(lists) }), 'mcp:node server.mjs')
  note(report)
  expect(report.findings.map(({ rule, about, message }) => [rule, about, message])).toEqual([
    ['prompt-undescribed', 'prompt "greet"', 'there is no description'],
    ['prompt-undescribed', 'prompt "greet"', 'no description of "who"'],
    ['resource-undescribed', undefined, '1 resource without a description: "log"'],
  ])
})

test('a package: what its loader refuses, its tools and its prompts, with file and line', async () => {
  expect(await lint(makeFolder(GOOD_PACKAGE), 'assistants/desk')).toMatchObject({ code: 0, errors: 0, warnings: 0 })
  const report = await lint(makeFolder(BAD_PACKAGE))
  note(report)
  expect(placed({ ...report, findings: report.findings.filter(({ severity }) => severity !== 'note') })).toEqual([
    'error package-invalid assistants/desk/package.yao:2',
    'warning contradiction assistants/desk/prompts.yml:4:3',
    'warning package-odd assistants/odd/package.yao',
    'warning prompt-tool-unknown assistants/desk/prompts.yml:5:7',
  ])
})

test('what could not be read, and links that lead out or nowhere, are findings', async () => {
  const dir = makeFolder({ ...GOOD_SKILL, 'outside.txt': 'x' })
  symlinkSync('../outside.txt', join(dir, 'pdf-tools', 'out'))
  symlinkSync('nothing', join(dir, 'pdf-tools', 'dangling'))
  symlinkSync('..', join(dir, 'pdf-tools', 'references', 'loop'))
  const report = await lint(dir, 'pdf-tools')
  note(report)
  expect(placed(report)).toEqual(['warning link-outside pdf-tools/dangling', 'warning link-outside pdf-tools/out'])
  writeFileSync(join(dir, 'pdf-tools', 'big.txt'), 'words words\n'.repeat(500_000))
  const larger = await lint(dir, 'pdf-tools')
  note(larger)
  expect(placed(larger)).toContain('error unreadable pdf-tools/big.txt')
  expect(larger.code).toBe(1)
})

test('a SKILL.md or evals that link out of the folder are not read: an error, and not a word of them', async () => {
  const dir = makeFolder({
    'elsewhere.md': `${skillText({ name: 'pdf-tools' })}\ntoken: ${GITHUB_TOKEN}\n`,
    'evals.json': { skill_name: 'private words' },
    'pdf-tools/evals/files/a.txt': 'x',
  })
  symlinkSync('../elsewhere.md', join(dir, 'pdf-tools', 'SKILL.md'))
  symlinkSync('../../evals.json', join(dir, 'pdf-tools', 'evals', 'evals.json'))
  const report = await lint(dir, 'pdf-tools')
  expect(placed(report)).toEqual([
    'error evals-invalid pdf-tools/evals/evals.json',
    'error unreadable pdf-tools/SKILL.md',
    'warning link-outside pdf-tools/SKILL.md',
    'warning link-outside pdf-tools/evals/evals.json',
  ])
  expect(report.subjects).toMatchObject([{ tokens: 0 }])
})

test('what Viva ships has neither errors nor warnings', async () => {
  for (const target of ['examples', 'templates', 'mcp:node templates/init/mcp/server.mjs']) {
    const { errors, warnings, findings } = await lint(ROOT, target)
    const serious = findings.filter(({ severity }) => severity !== 'note')
    expect([target, errors, warnings, serious]).toEqual([target, 0, 0, []])
  }
})

test('every rule was seen to find something', () => {
  expect(RULES.map(({ id }) => id).filter((id) => !fired.has(id))).toEqual([])
})

test('the guide lists every rule with its severity', () => {
  const page = readFileSync(join(ROOT, 'docs/trust/lint.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (error|warning|note) \| (.+) \|$/gm)]
  expect(rows.map(([, id, severity, summary]) => [id, severity, summary])).toEqual(
    RULES.map(({ id, severity, summary }) => [id, severity, summary]),
  )
})

const ghost = (): string =>
  makeFolder({
    'ghost/SKILL.md': skillText({
      name: 'ghosts',
      description: 'Finds ghosts in old houses. Use when a house is old.',
    }),
  })

test('the text names the rule, the place, the reason and the fix', async () => {
  const { stdout, code } = await viva(['lint', 'ghost'], { cwd: ghost() })
  expect(code).toBe(1)
  expect(stdout).toBe(`ghost  skill, about 7 tokens
  error   ghost/SKILL.md:2:1  the name is "ghosts", the folder "ghost"  skill-name-folder
          why: By the convention they are equal: some agents call a skill by its folder, others by its name.
          fix: Rename one of them.

1 error, 0 warnings, 0 notes
`)
})

test('a rule is left out by --disable or the configuration; an unknown one is refused with the near one', async () => {
  const dir = ghost()
  expect(await lint(dir, '--disable', 'skill-name-folder')).toMatchObject({ code: 0, findings: [] })
  const unknown = await viva(['lint', '--disable', 'skill-name-foldr'], { cwd: dir })
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('did you mean skill-name-folder?')
  writeFiles(dir, { 'viva.config.json': { lint: { disable: ['skill-name-folder'] } } })
  expect(await lint(dir)).toMatchObject({ code: 0, findings: [] })
  writeFiles(dir, { 'viva.config.json': { lint: { disable: ['nonsense'] } } })
  const configured = await viva(['lint'], { cwd: dir })
  expect(configured.code).toBe(2)
  expect(configured.stderr).toContain('lint.disable in viva.config.json: there is no rule "nonsense"')
})

test('warnings change the exit code only with --max-warnings', async () => {
  const dir = makeFolder({
    'helper/SKILL.md': skillText({ name: 'helper', description: 'Helps with various things when used.' }),
  })
  expect((await viva(['lint'], { cwd: dir })).code).toBe(0)
  expect((await viva(['lint', '--max-warnings', '1'], { cwd: dir })).code).toBe(0)
  const { code, stderr } = await viva(['lint', '--max-warnings', '0'], { cwd: dir })
  expect([code, stderr]).toEqual([1, '--max-warnings 0: there are 1\n'])
})

test('notes are counted, and shown with --notes', async () => {
  const dir = makeFolder({
    'timeless/SKILL.md': skillText({ name: 'timeless', description: 'Polishes brass instruments with a soft cloth.' }),
  })
  expect((await viva(['lint'], { cwd: dir })).stdout).toContain('1 note (--notes shows it)')
  expect((await viva(['lint', '--notes'], { cwd: dir })).stdout).toContain('names no situation')
})

interface Sarif {
  version: string
  runs: Array<{
    tool: { driver: { name: string; rules: Array<{ id: string }> } }
    results: Array<{
      ruleId: string
      ruleIndex: number
      level: string
      message: { text: string }
      locations: object[]
      partialFingerprints: Record<string, string>
    }>
  }>
}

test('SARIF: rules, levels and places', async () => {
  const dir = makeFolder({
    'a b/ghost/SKILL.md': skillText({ name: 'ghosts', description: 'Finds ghosts. Use when needed in old houses.' }),
    'a b/ghost/a.sh': `A=${GITHUB_TOKEN}\nB=${GITHUB_TOKEN.replace('Zk3', 'Yk4')}\n`,
    'server.mjs': serverScript({ 'tools/list': { tools: [{ name: 'undescribed', inputSchema: { type: 'object' } }] } }),
  })
  const run = await viva(['lint', '.', 'node server.mjs', '-o', 'out.sarif'], { cwd: dir })
  expect(run.stderr).toContain('Report: out.sarif (')
  const sarif = JSON.parse(readFileSync(join(dir, 'out.sarif'), 'utf8')) as Sarif
  const [first] = sarif.runs
  expect(sarif.version).toBe('2.1.0')
  expect(first?.tool.driver.rules.map(({ id }) => id)).toEqual(RULES.map(({ id }) => id))
  for (const { ruleId, ruleIndex, message } of first?.results ?? []) {
    expect(RULES[ruleIndex]?.id).toBe(ruleId)
    expect(message.text).not.toBe('')
  }
  expect(first?.results.find(({ ruleId }) => ruleId === 'skill-name-folder')).toMatchObject({
    level: 'error',
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'a%20b/ghost/SKILL.md' },
          region: { startLine: 2, startColumn: 1 },
        },
      },
    ],
  })
  expect(first?.results.find(({ ruleId }) => ruleId === 'tool-description-missing')?.locations).toEqual([
    {
      physicalLocation: { artifactLocation: { uri: 'node%20server.mjs' }, region: { startLine: 1 } },
      logicalLocations: [{ fullyQualifiedName: 'tool "undescribed"' }],
    },
  ])
  const prints = first?.results.map(({ partialFingerprints }) => partialFingerprints['viva/v1'])
  expect(new Set(prints).size).toBe(first?.results.length)
})

test('SARIF: a fingerprint does not change with the line', async () => {
  const dir = ghost()
  const prints = async (): Promise<string[]> => {
    const { stdout } = await viva(['lint', '--format', 'sarif'], { cwd: dir })
    return (JSON.parse(stdout) as Sarif).runs.flatMap(({ results }) =>
      results.map(({ partialFingerprints }) => partialFingerprints['viva/v1'] ?? ''),
    )
  }
  const before = await prints()
  const file = join(dir, 'ghost/SKILL.md')
  writeFileSync(file, readFileSync(file, 'utf8').replace('---\n', '---\n# A comment.\n'))
  expect(await prints()).toEqual(before)
})

test('the format of -o is that of its extension, unless --format says another', async () => {
  const dir = ghost()
  await viva(['lint', '-o', 'a.json'], { cwd: dir })
  await viva(['lint', '-o', 'a.txt'], { cwd: dir })
  await viva(['lint', '-o', 'b.json', '--format', 'sarif'], { cwd: dir })
  expect(JSON.parse(readFileSync(join(dir, 'a.json'), 'utf8'))).toMatchObject({ format: 1, errors: 1 })
  expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toContain('1 error')
  expect(JSON.parse(readFileSync(join(dir, 'b.json'), 'utf8'))).toMatchObject({ version: '2.1.0' })
  expect((await viva(['lint', '-o', 'a.xyz'], { cwd: dir })).code).toBe(2)
})

test('-o does not overwrite what is linted, with or without a finding in it', async () => {
  const dir = makeFolder({ ...GOOD_SKILL, ...GOOD_PACKAGE })
  writeFiles(dir, { 'ghost/SKILL.md': skillText({ name: 'ghosts', description: 'Finds ghosts in old houses.' }) })
  for (const file of [
    'ghost/SKILL.md',
    'pdf-tools/SKILL.md',
    'pdf-tools/references/forms.md',
    'pdf-tools/evals/evals.json',
    'assistants/desk/package.yao',
    'assistants/desk/prompts.yml',
  ]) {
    const before = readFileSync(join(dir, file), 'utf8')
    const { code } = await viva(['lint', '-o', file, '--format', 'text'], { cwd: dir })
    expect([file, code, readFileSync(join(dir, file), 'utf8')]).toEqual([file, 2, before])
  }
})

const refused: Array<[what: string, args: string[], says: string]> = [
  ['a folder that is not there', ['gohst'], 'did you mean ghost?'],
  ['a folder without anything', ['empty'], 'neither a SKILL.md nor a package.yao in empty'],
  ['a file that is not a skill', ['server.mjs'], 'viva lint "node server.mjs"'],
  ['a command that cannot be found', ['no-such-program --stdio'], 'cannot run "no-such-program"'],
  ['a server that ends at once', ['node -e 0'], 'did not start as an MCP server'],
  ['an address that nobody answers', ['http://127.0.0.1:9/mcp'], 'did not start as an MCP server'],
  ['an agent that is not a server', ['bot'], '"bot" of viva.config is not an MCP server'],
  ['an empty target', [''], 'the target "" names nothing'],
  ['a bare word', ['my-server'], 'viva lint "mcp:my-server"'],
]

test.each(refused)('%s is refused, with the next step', async (_what, args, says) => {
  const dir = makeFolder({
    'ghost/SKILL.md': 'x',
    'server.mjs': '',
    'viva.config.json': { agents: { bot: './a.ts#run' } },
  })
  mkdirSync(join(dir, 'empty'))
  const { code, stderr, stdout } = await viva(['lint', ...args], { cwd: dir })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(says)
})

test('a server by its name in the configuration', async () => {
  const dir = makeFolder({
    'server.mjs': serverScript({ 'tools/list': { tools: GOOD_TOOLS } }),
    'viva.config.json': { agents: { shop: { target: 'mcp:node server.mjs' } } },
  })
  expect((await lint(dir, 'shop')).subjects).toMatchObject([{ kind: 'server', label: 'shop', tools: 2 }])
})

test('a list that cannot be completed is an error, not a clean server', async () => {
  const dir = makeFolder({ 'server.mjs': serverScript({ 'tools/list': { nothing: [] } }) })
  const report = await lint(dir, 'node server.mjs')
  expect(ruled(report)).toEqual(['error unreadable'])
  expect(report.code).toBe(1)
})

test('a list that cannot be completed is an error beside lists that were read', async () => {
  const lists = { 'tools/list': { tools: GOOD_TOOLS }, 'prompts/list': { nothing: [] } }
  const report = await lint(makeFolder({ 'server.mjs': serverScript(lists) }), 'node server.mjs')
  expect([report.code, ruled(report)]).toEqual([1, ['error unreadable']])
})

test('a secret is found wherever a server lists it', async () => {
  const [tool] = GOOD_TOOLS
  const tools = [{ ...tool, annotations: { ...tool?.annotations, title: `Finds by ${GITHUB_TOKEN}` } }]
  const report = await lint(makeFolder({ 'server.mjs': serverScript({ 'tools/list': { tools } }) }), 'node server.mjs')
  expect(ruled(report)).toContain('error secret')
  expect(JSON.stringify(report)).not.toContain(GITHUB_TOKEN)
})

test('a server that lists nothing is an error: nothing was linted', async () => {
  const dir = makeFolder({ 'server.mjs': serverScript({ 'tools/list': { tools: [] } }) })
  const report = await lint(dir, 'node server.mjs')
  expect(ruled(report)).toEqual(['error unreadable'])
  expect(report.code).toBe(1)
})

test('characters hidden in a schema, a title or an annotation are found', async () => {
  const [tool] = GOOD_TOOLS
  const tools = [
    { ...tool, title: 'Find\u{200b}s' },
    { ...GOOD_TOOLS[1], annotations: { readOnlyHint: true, title: 'a\u{202e}b' } },
    {
      ...tool,
      name: 'read_rows',
      description: 'Reads rows of a table, or fails without one.',
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string', format: 'uuid', description: 'The id.\u{e0049}\u{e0047}\u{e004e}' } },
        additionalProperties: false,
      },
    },
  ]
  const dir = makeFolder({ 'server.mjs': serverScript({ 'tools/list': { tools } }) })
  expect(ruled(await lint(dir, 'node server.mjs'))).toEqual(Array.from(tools, () => 'warning hidden-in-list'))
})

test('a hostile schema, and very many tools, end in a report', { timeout: 120_000 }, async () => {
  const $defs: Record<string, object> = { d11: { type: 'string', description: 'x' } }
  for (let index = 0; index < 11; index++)
    $defs[`d${index}`] = { anyOf: Array.from({ length: 40 }, () => ({ $ref: `#/$defs/d${index + 1}` })) }
  const properties = Object.fromEntries(
    Array.from({ length: 1500 }, (_, index) => [`p${index}`, { type: 'string', description: 'd', default: 'x' }]),
  )
  const described = { ...GOOD_TOOLS[1], description: 'Tangles a knot of many ropes.' }
  const tools = [
    { ...described, name: 'knot', inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs } },
    { ...described, name: 'wide', inputSchema: { type: 'object', properties } },
    ...Array.from({ length: 2000 }, (_, index) => ({
      ...described,
      name: `tool_${index}`,
      description: `Reads thing${index} from river${index % 13} and stone${index % 17}.`,
    })),
  ]
  const dir = makeFolder({ 'server.mjs': serverScript({ 'tools/list': { tools } }) })
  expect((await lint(dir, 'node server.mjs')).subjects).toMatchObject([{ tools: 2002 }])
})

test.skipIf(process.getuid?.() === 0)('a folder that may not be listed is an error', async () => {
  const dir = makeFolder({ ...GOOD_SKILL, 'closed/x': '' })
  mkdirSync(join(dir, 'pdf-tools/closed'), { mode: 0 })
  chmodSync(join(dir, 'closed'), 0)
  const report = await lint(dir)
  expect(placed(report)).toEqual(['error unreadable closed', 'error unreadable pdf-tools/closed'])
  expect((await viva(['lint', 'closed'], { cwd: dir })).code).toBe(1)
})

test('a pipe in place of a file is not waited for', async () => {
  const dir = makeFolder({ ...GOOD_SKILL, ...GOOD_PACKAGE })
  writeFiles(dir, { 'piped/x': '' })
  for (const path of ['piped/SKILL.md', 'assistants/desk/prompts.yml', 'pdf-tools/evals/evals.json'])
    rmSync(join(dir, path), { force: true })
  execFileSync('mkfifo', ['piped/pipe', 'assistants/desk/prompts.yml', 'pdf-tools/evals/evals.json'], { cwd: dir })
  symlinkSync('pipe', join(dir, 'piped/SKILL.md'))
  const report = await lint(dir)
  expect(placed(report).filter((line) => !line.startsWith('note'))).toEqual([
    'error evals-invalid pdf-tools/evals/evals.json',
    'error package-invalid assistants/desk/prompts.yml',
    'error unreadable piped/SKILL.md',
  ])
})

test('a folder that is a skill and a package, and equal folder names: each finding once', async () => {
  const name = { name: 'ghosts', description: 'Finds ghosts in old houses. Use when a house is old.' }
  const dir = makeFolder({ 'SKILL.md': skillText(name), 'package.yao': { name: 'Desk', connector: 'mock' } })
  writeFiles(dir, { [`${basename(dir)}/SKILL.md`]: skillText(name), 'prompts.yml': '- role: system\n  content: Hi.\n' })
  const { stdout } = await viva(['lint'], { cwd: dir })
  expect(stdout.match(/skill-name-folder/g)).toHaveLength(2)
  expect(stdout).toContain('.  skill, about 7 tokens; package, 0 tools, about 0 tokens\n')
})

test('a clean result says what was looked at', async () => {
  const words = 'apple bread chair dough eagle flute grape'.split(' ')
  const dir = makeFolder(
    Object.fromEntries(
      words.map((word) => [
        `${word}/SKILL.md`,
        skillText({
          name: word,
          description: `Paints the ${word} on paper in blue ink. Use when a ${word} is asked for.`,
        }),
      ]),
    ),
  )
  expect((await viva(['lint', '--disable', 'skill-description-overlap'], { cwd: dir })).stdout).toBe(
    '0 errors, 0 warnings, 0 notes in 7 skills\n',
  )
})

test('a secret is never printed, in any format', async () => {
  const dir = makeFolder()
  for (const [files] of BAD_SKILLS) writeFiles(dir, files)
  const runs: CliRun[] = []
  for (const format of ['text', 'json', 'sarif'])
    runs.push(await viva(['lint', '--notes', '--format', format], { cwd: dir }))
  for (const { stdout, stderr } of runs)
    for (const secret of [GITHUB_TOKEN, DATABASE_PASSWORD]) expect(`${stdout}${stderr}`).not.toContain(secret)
})

test('a key that a server repeats is not printed, nor in the error if it does not start', async () => {
  const key = 'swordfish-by-the-sea'
  const dir = makeFolder({
    'viva.config.json': { agents: { shop: { target: 'mcp:node server.mjs', env: { SHOP_TOKEN: key } } } },
    'server.mjs': `
import { createInterface } from 'node:readline'
import { existsSync } from 'node:fs'
const key = process.env.SHOP_TOKEN ?? process.env.PLAIN
if (existsSync('broken')) { console.error('cannot use ' + key); process.exit(3) }
const tool = { name: key, description: 'Uses ' + key, inputSchema: { type: 'object' } }
const capabilities = { tools: {} }
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: key, version: key } } : { tools: [tool] }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
})
`,
  })
  const env = { PLAIN: key }
  const targets = [['shop'], ['node server.mjs', '--pass-env', 'PLAIN']]
  for (const target of targets)
    for (const format of ['text', 'json', 'sarif']) {
      const { stdout, stderr } = await viva(['lint', ...target, '--notes', '--format', format], { cwd: dir, env })
      expect(stdout).toContain('[SECRET]')
      expect(`${stdout}${stderr}`).not.toContain(key)
    }
  writeFiles(dir, { broken: '' })
  for (const target of targets) {
    const { stdout, stderr, code } = await viva(['lint', ...target], { cwd: dir, env })
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('cannot use [SECRET]')])
  }
})

test('a key given by --key-env is not printed if the server repeats it', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(401).end(`not ${request.headers.authorization}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = `mcp:http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const env = { PLAIN: 'swordfish-by-the-sea' }
  const { stderr, code } = await viva(['lint', address, '--key-env', 'PLAIN'], { cwd: makeFolder(), env })
  expect([code, stderr]).toEqual([2, expect.stringContaining('not Bearer [SECRET]')])
})

test('what a skill says is data: it cannot paint a terminal', async () => {
  const dir = makeFolder({
    'evil/SKILL.md': skillText({ name: '"\\x1b[2J<script>"', description: '"\\x1b]52;c;x\\x07 Helps."' }),
  })
  const { stdout } = await viva(['lint', '--notes'], { cwd: dir })
  expect(stdout).toContain('skill-name-invalid')
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
})

test(
  'a file of 100 MB, thousands of files and deep folders end in findings, not in a crash',
  { timeout: 120_000 },
  async () => {
    const dir = makeFolder({ ...GOOD_SKILL, 'big/SKILL.md': '---\n' })
    truncateSync(join(dir, 'big/SKILL.md'), 100 * 1024 * 1024)
    mkdirSync(join(dir, 'pdf-tools', 'many'))
    for (let index = 0; index < 10_001; index++) writeFileSync(join(dir, 'pdf-tools', 'many', `${index}`), '')
    mkdirSync(join(dir, 'pdf-tools', ...Array.from({ length: 40 }, () => 'deep')), { recursive: true })
    const report = await lint(dir)
    expect(report.code).toBe(1)
    const unread = report.findings.filter(({ rule }) => rule === 'unreadable').map(({ file }) => file)
    expect(unread).toContain('big/SKILL.md')
    expect(unread).toContain('pdf-tools')
  },
)
