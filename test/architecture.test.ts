// The rules of the house, executed: import directions, no cycles, complete registries, a map that is true.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './support/run-cli.js'
import { productFiles } from './support/source-files.js'

const SRC = join(ROOT, 'src')

/** Folder → folders it may import besides itself. Type imports count. */
const MAY_IMPORT: Record<string, string[]> = {
  base: [],
  model: ['base'],
  'json-schema': ['base'],
  errors: ['model'],
  version: [],
  time: ['base'],
  files: ['base', 'errors'],
  redact: ['base', 'model', 'errors'],
  process: ['base', 'errors', 'time', 'files'],
  http: ['base', 'model', 'errors', 'time'],
  scripts: ['base', 'model', 'errors', 'time', 'files', 'redact', 'process', 'http'],
  connectors: ['base', 'model', 'errors', 'time', 'files', 'redact', 'http'],
  workspaces: ['base', 'model', 'errors', 'time', 'files', 'process'],
  snapshots: ['base', 'model', 'files', 'redact'],
  revisions: ['base', 'errors', 'time', 'files', 'process', 'workspaces'],
  recordings: ['base', 'model', 'errors', 'time', 'files', 'redact', 'process', 'http'],
  orchestrator: ['base', 'model', 'errors', 'time', 'files', 'redact', 'process', 'connectors', 'recordings'],
  contract: ['base', 'json-schema', 'model', 'errors', 'time', 'files', 'redact', 'process', 'mcp-client'],
  'mcp-client': ['base', 'model', 'errors', 'time', 'files', 'process', 'http', 'connectors'],
  agents: [
    'contract',
    'mcp-client',
    'base',
    'model',
    'errors',
    'time',
    'files',
    'redact',
    'process',
    'http',
    'scripts',
    'connectors',
    'orchestrator',
    'pipeline/record',
  ],
  'mock-tools': [
    'base',
    'model',
    'errors',
    'version',
    'time',
    'files',
    'process',
    'http',
    'scripts',
    'mcp-client',
    'agents',
  ],
  'pipeline/sources': ['base', 'model', 'errors', 'files', 'scripts', 'agents'],
  'pipeline/plan': ['base', 'model', 'errors'],
  'pipeline/claims': ['base', 'model'],
  'pipeline/assert': ['base', 'json-schema', 'model', 'errors', 'time', 'redact', 'pipeline/claims'],
  'pipeline/execute': ['base', 'model', 'errors', 'time', 'scripts', 'agents', 'pipeline/assert', 'config'],
  'pipeline/record': ['base', 'model', 'errors', 'time', 'files', 'redact', 'process'],
  'pipeline/fold': ['base', 'model', 'errors'],
  'pipeline/report': ['base', 'model', 'errors', 'files', 'redact', 'pipeline/claims', 'pipeline/fold'],
  config: [
    'base',
    'model',
    'errors',
    'files',
    'redact',
    'http',
    'connectors',
    'agents',
    'pipeline/sources',
    'pipeline/plan',
  ],
  interceptors: [
    'base',
    'model',
    'errors',
    'version',
    'time',
    'files',
    'redact',
    'http',
    'scripts',
    'connectors',
    'snapshots',
    'recordings',
    'orchestrator',
    'agents',
    'pipeline/record',
    'pipeline/report',
    'config',
  ],
  run: [
    'contract',
    'base',
    'model',
    'errors',
    'version',
    'time',
    'files',
    'redact',
    'process',
    'http',
    'scripts',
    'connectors',
    'workspaces',
    'recordings',
    'orchestrator',
    'agents',
    'mock-tools',
    'pipeline/sources',
    'pipeline/plan',
    'pipeline/assert',
    'pipeline/execute',
    'pipeline/record',
    'pipeline/fold',
    'pipeline/report',
    'config',
    'interceptors',
  ],
  fleet: ['base', 'model', 'errors', 'version', 'time', 'files', 'redact', 'http', 'config', 'interceptors', 'run'],
  suite: [
    'mcp-client',
    'base',
    'json-schema',
    'model',
    'errors',
    'time',
    'files',
    'orchestrator',
    'agents',
    'pipeline/sources',
    'pipeline/plan',
    'pipeline/assert',
    'pipeline/execute',
    'pipeline/record',
    'pipeline/report',
    'config',
    'run',
    'pipeline/fold',
  ],
  library: [
    'base',
    'model',
    'errors',
    'time',
    'files',
    'redact',
    'process',
    'http',
    'recordings',
    'orchestrator',
    'agents',
    'pipeline/assert',
    'config',
    'run',
    'suite',
    'fleet',
  ],
  import: ['base', 'model', 'errors', 'files', 'connectors', 'pipeline/sources'],
  lint: ['base', 'json-schema', 'model', 'errors', 'files', 'redact', 'mcp-client', 'agents', 'pipeline/sources'],
  diff: [
    'base',
    'model',
    'errors',
    'files',
    'redact',
    'process',
    'revisions',
    'pipeline/fold',
    'config',
    'run',
    'library',
  ],
  merge: ['base', 'model', 'errors', 'pipeline/plan', 'pipeline/record', 'pipeline/fold', 'config'],
  tools: [
    'base',
    'model',
    'errors',
    'version',
    'time',
    'files',
    'redact',
    'process',
    'workspaces',
    'snapshots',
    'recordings',
    'orchestrator',
    'pipeline/sources',
    'pipeline/assert',
    'pipeline/fold',
    'pipeline/report',
    'config',
    'interceptors',
    'run',
  ],
  viewer: [
    'base',
    'model',
    'errors',
    'version',
    'files',
    'redact',
    'process',
    'http',
    'pipeline/record',
    'pipeline/fold',
    'pipeline/report',
  ],
  'viewer/app': ['base', 'model', 'pipeline/claims', 'pipeline/report'],
  mcp: [
    'base',
    'model',
    'errors',
    'version',
    'files',
    'redact',
    'http',
    'workspaces',
    'pipeline/record',
    'pipeline/report',
    'config',
    'library',
    'tools',
    'viewer',
  ],
  cli: [
    'mcp-client',
    'json-schema',
    'base',
    'model',
    'errors',
    'version',
    'time',
    'files',
    'redact',
    'process',
    'http',
    'scripts',
    'connectors',
    'snapshots',
    'recordings',
    'orchestrator',
    'agents',
    'mock-tools',
    'pipeline/sources',
    'pipeline/plan',
    'pipeline/assert',
    'pipeline/execute',
    'pipeline/record',
    'pipeline/fold',
    'pipeline/report',
    'config',
    'interceptors',
    'run',
    'suite',
    'fleet',
    'library',
    'import',
    'lint',
    'diff',
    'merge',
    'tools',
    'viewer',
    'mcp',
  ],
  index: [
    'model',
    'errors',
    'version',
    'orchestrator',
    'agents',
    'pipeline/record',
    'pipeline/report',
    'config',
    'run',
    'library',
    'tools',
  ],
  vitest: ['index'],
}

interface Import {
  file: string
  target: string
}

const files = productFiles()
const imports = files.flatMap((file) => importsOf(file))

test('rooms import only what the table allows', () => {
  const wrong = imports.filter(({ file, target }) => !isAllowed(roomOf(file), roomOf(target)))
  expect(wrong.map(({ file, target }) => `${short(file)} → ${short(target)}`)).toEqual([])
})

test('there are no import cycles, neither between files nor between rooms', () => {
  const graph = new Map<string, string[]>()
  const rooms = new Map<string, string[]>()
  for (const { file, target } of imports) {
    graph.set(file, [...(graph.get(file) ?? []), target])
    const [from, to] = [roomOf(file), roomOf(target)]
    if (from !== to) rooms.set(from, [...(rooms.get(from) ?? []), to])
  }
  expect(findCycle(graph)?.map(short)).toBeUndefined()
  expect(findCycle(rooms)).toBeUndefined()
})

test('every room is on the map', () => {
  const map = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const rooms = [...new Set(files.map(roomOf))]
  const missing = rooms.filter(
    (room) => !map.includes(`\`${room}/\``) && !map.includes(`\`${room}.ts\``) && !map.includes(`\`${room}\``),
  )
  expect(missing).toEqual([])
})

test('every "must never" names a check that exists', () => {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const table = page.slice(page.indexOf('## What must never happen'), page.indexOf('## Adding things'))
  const rows = [...table.matchAll(/^\| (?!never|---)(.+) \| (.+) \|$/gm)]
  expect(rows.length).toBeGreaterThan(10)
  for (const [, rule = '', checks = ''] of rows) {
    const named = [...checks.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    expect(named, rule).not.toEqual([])
    expect(named.filter((name) => name.includes('/') && !existsSync(join(ROOT, name)))).toEqual([])
  }
})

test('every assertion has a summary and an example that its own schema accepts', async () => {
  const { assertionDefinitions } = await import('../src/pipeline/assert/registry.js')
  const { checkAssertion } = await import('../src/pipeline/assert/compile.js')
  for (const definition of assertionDefinitions) {
    expect(definition.summary, definition.type).not.toBe('')
    expect(checkAssertion(definition.example, 'example'), definition.type).not.toBeInstanceOf(Array)
  }
})

test('every command and flag is described and every command has examples', async () => {
  const { COMMANDS } = await import('../src/cli/commands.js')
  for (const command of COMMANDS) {
    expect(command.examples.length, command.name).toBeGreaterThan(0)
    expect(command.summary, command.name).not.toBe('')
    for (const flag of command.flags) expect(flag.description, flag.long).not.toBe('')
  }
})

test('the library exports what it promises', async () => {
  const library = await import('../src/index.js')
  expect(Object.keys(library).toSorted()).toMatchSnapshot()
})

test('the runtime dependencies are the ones that were chosen', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(Object.keys(manifest.dependencies).toSorted()).toMatchSnapshot()
})

function isAllowed(from: string, to: string): boolean {
  if (from === to) return true
  if (from === 'viewer' && to === 'viewer/app') return false
  return MAY_IMPORT[from]?.includes(to) ?? false
}

function roomOf(file: string): string {
  const parts = relative(SRC, file).split('/')
  const [first = '', second = ''] = parts
  if (parts.length === 1) return first.replace(/\.tsx?$/, '')
  if (first === 'pipeline' || (first === 'viewer' && second === 'app')) return `${first}/${second}`
  return first
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
  return [...found].flatMap((match) => {
    const target = resolve(dirname(file), match[1] ?? '').replace(/\.js$/, '.ts')
    const real = [target, target.replace(/\.ts$/, '.tsx')].find((path) => files.includes(path))
    return real === undefined ? [] : [{ file, target: real }]
  })
}

function findCycle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): string[] | undefined => {
    const at = path.indexOf(file)
    if (at >= 0) return [...path.slice(at), file]
    if (done.has(file)) return undefined
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next)
      if (cycle) return cycle
    }
    path.pop()
    done.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const cycle = visit(file)
    if (cycle) return cycle
  }
  return undefined
}

function short(file: string): string {
  return relative(SRC, file)
}
