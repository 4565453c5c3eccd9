// What an editor offers and marks in case files, by the schemas that `viva schema` prints: a YAML language server on its
// standard input and output, and the JSON language service of VS Code.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { getLanguageService, TextDocument, type JSONDocument } from 'vscode-json-languageservice'
import { viva, writeFiles } from '../support/run-cli.js'

const { resolve } = createRequire(import.meta.url)
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'viva-editor-'))
  for (const what of ['case', 'cases', 'config']) {
    const { stdout, code } = await viva(['schema', what], { cwd: folder })
    expect(code).toBe(0)
    writeFiles(folder, { [`${what}.schema.json`]: stdout })
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Shown {
  /** `line: text`, lines from 0. */
  problems: string[]
  /** What is offered at `|`. */
  offered: string[]
  documented: Record<string, string>
}

interface Item {
  label: string
  documentation?: string | { value: string }
}

test('YAML: types, the fields of each type, and mistakes', async () => {
  const shown = await inYaml('cases.schema.json', [
    '- id: a',
    '  input: hi',
    '  timout: 5s',
    '  testing: { tools: ./tools.ts, stat: x }',
    '  assert:',
    '    - type: state_changd',
    '    - { type: tool_called, nam: refund }',
    '    - { type: state_changed, paths: 5 }',
    '    - { type: state_equals, path: $.a, value: { $gtt: 1 } }',
    '    - type: state_equals',
    '      |',
  ])
  expect(shown.offered).toEqual(expect.arrayContaining(['path', 'value', 'exists', 'negate']))
  expect(shown.offered).not.toContain('paths')
  expect(shown.problems).toEqual([
    expect.stringMatching(/^2: .*timout/) as string,
    expect.stringMatching(/^3: .*stat/) as string,
    expect.stringMatching(/^5: .*"state_changed"/) as string,
    expect.stringMatching(/^6: .*nam/) as string,
    expect.stringMatching(/^7: .*array/i) as string,
  ])
})

test('YAML: every type is offered, with what it does', async () => {
  const { offered, documented } = await inYaml('cases.schema.json', [
    '- id: a',
    '  input: hi',
    '  assert:',
    '    - type: |',
  ])
  expect(offered).toEqual(
    expect.arrayContaining(['equals', 'tool_called', 'state_changed', 'state_equals', 'file_json']),
  )
  expect(documented['state_changed']).toContain('Exactly these paths')
})

test('YAML: fields of a case', async () => {
  const { offered, documented, problems } = await inYaml('cases.schema.json', ['- id: a', '  input: hi', '  |'])
  expect(offered).toEqual(expect.arrayContaining(['assert', 'testing', 'workspace', 'final_assertions']))
  expect(documented['workspace']).toContain('A separate folder')
  expect(problems).toEqual([])
})

test('JSON: types, the fields of each type, and mistakes', async () => {
  const mistakes = await inJson(
    'case.schema.json',
    '{"id": "a", "input": "hi", "assert": [{"type": "contans", "value": "x"}, {"type": "tool_called", "nam": "x"}, {"type": "state_changed", "paths": {"$.a": 1}}], "tags": 5}|',
  )
  expect(mistakes.problems).toEqual([
    expect.stringMatching(/Value is not accepted/) as string,
    expect.stringMatching(/Property nam is not allowed/) as string,
    expect.stringMatching(/expected "array"/i) as string,
  ])
  const fields = await inJson(
    'case.schema.json',
    '{"id": "a", "input": "hi", "assert": [{"type": "state_changed", |}]}',
  )
  expect(fields.offered).toContain('paths')
  expect(fields.offered).not.toContain('exists')
  const types = await inJson('case.schema.json', '{"id": "a", "input": "hi", "assert": [{"type": |}]}')
  expect(types.offered).toEqual(expect.arrayContaining(['"state_changed"', '"contains"']))
  expect(types.documented['"state_changed"']).toContain('Exactly these paths')
})

test('JSON: the configuration', async () => {
  const { offered, problems } = await inJson('config.schema.json', '{"testing": {"tols": "./a.ts", |}}')
  expect(offered).toEqual(expect.arrayContaining(['tools', 'state', 'without']))
  expect(problems.join()).toContain('tols')
})

async function inJson(schema: string, marked: string): Promise<Shown> {
  const at = marked.indexOf('|')
  const service = getLanguageService({
    schemaRequestService: (uri) => Promise.resolve(readFileSync(new URL(uri), 'utf8')),
  })
  service.configure({ schemas: [{ uri: pathToFileURL(join(folder, schema)).href, fileMatch: ['*'] }] })
  const document = TextDocument.create('file:///cases.json', 'json', 1, marked.replace('|', ''))
  const parsed: JSONDocument = service.parseJSONDocument(document)
  const problems = await service.doValidation(document, parsed)
  const found = await service.doComplete(document, document.positionAt(at), parsed)
  const texts = problems.map(({ message }) => (typeof message === 'string' ? message : message.value))
  // What is being written is not finished.
  const ofSchema = texts.filter((text) => !/trailing comma|value expected|double quotes|end of file/i.test(text))
  return { problems: ofSchema, ...offers(found?.items ?? []) }
}

async function inYaml(schema: string, lines: string[]): Promise<Shown> {
  const line = lines.findIndex((text) => text.includes('|'))
  const position = { line: line + 1, character: lines[line]?.indexOf('|') ?? 0 }
  const text = [`# yaml-language-server: $schema=./${schema}`, ...lines.map((each) => each.replace('|', ''))].join('\n')
  const uri = pathToFileURL(join(folder, 'cases.yml')).href
  const server = startServer()
  await server.ask('initialize', { processId: null, rootUri: null, capabilities: {} })
  server.tell('initialized', {})
  server.tell('workspace/didChangeConfiguration', {
    settings: { yaml: { validate: true, completion: true, schemaStore: { enable: false } } },
  })
  const diagnosed = server.told('textDocument/publishDiagnostics')
  server.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } })
  const { diagnostics } = (await diagnosed) as {
    diagnostics: Array<{ message: string; range: { start: { line: number } } }>
  }
  const found = (await server.ask('textDocument/completion', { textDocument: { uri }, position })) as { items: Item[] }
  const problems = diagnostics
    .map(({ message, range }) => `${range.start.line - 1}: ${message}`)
    .filter((problem) => !problem.startsWith(`${line}:`) && !problem.startsWith(`${line - 1}:`))
  return { problems: problems.toSorted(), ...offers(found.items) }
}

function offers(items: Item[]): Pick<Shown, 'offered' | 'documented'> {
  const text = ({ documentation = '' }: Item): string =>
    typeof documentation === 'string' ? documentation : documentation.value
  return {
    offered: items.map(({ label }) => label),
    documented: Object.fromEntries(items.map((item) => [item.label, text(item)])),
  }
}

interface Server {
  ask(method: string, params: unknown): Promise<unknown>
  tell(method: string, params: unknown): void
  /** The next notification of this kind. */
  told(method: string): Promise<unknown>
}

/** The protocol's framing: a header with the length, then JSON. */
function startServer(): Server {
  const entry = join(resolve('yaml-language-server/package.json'), '..', 'bin', 'yaml-language-server')
  const child = spawn(process.execPath, [entry, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill())
  const answers = new Map<number, (result: unknown) => void>()
  const listeners = new Map<string, (params: unknown) => void>()
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const take = (message: { id?: number; method?: string; result?: unknown; params?: unknown }): void => {
    // It asks for settings, which it was told.
    if (message.id !== undefined && message.method !== undefined) send({ id: message.id, result: null })
    else if (message.id !== undefined) answers.get(message.id)?.(message.result)
    else listeners.get(message.method ?? '')?.(message.params)
  }
  let buffer = Buffer.alloc(0)
  child.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    for (;;) {
      const start = buffer.indexOf('\r\n\r\n') + 4
      const length = Number(/Content-Length: (\d+)/.exec(buffer.toString('latin1', 0, start))?.[1] ?? Infinity)
      if (start < 4 || buffer.length < start + length) return
      take(JSON.parse(buffer.toString('utf8', start, start + length)) as Parameters<typeof take>[0])
      buffer = buffer.subarray(start + length)
    }
  })
  let last = 0
  return {
    ask: (method, params) =>
      new Promise((answered) => {
        answers.set(++last, answered)
        send({ id: last, method, params })
      }),
    tell: (method, params) => send({ method, params }),
    told: (method) => new Promise((listener) => listeners.set(method, listener)),
  }
}
