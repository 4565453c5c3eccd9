// How the command starts: with compiled code where V8 takes it, without it where not, and as one copy for everybody.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tuningFlags } from '../../src/cli/v8-flags.js'
import { BIN, makeFolder, ROOT, viva, writeFiles } from '../support/run-cli.js'

const REMAKE = `const { createLoader, cacheOf } = require(process.argv[1])
  const loader = createLoader({ fresh: true })
  loader.loadCore()
  for (const [path, script] of loader.scripts) {
    const { path: cache, data } = cacheOf(path, script)
    require('node:fs').writeFileSync(cache, data)
  }`
const ECHO = ['test', '-i', 'hello', '-n', 'builtin:echo']

/** What was loaded from compiled code, as file names. */
function compiledOf(root: string, flags: string[] = []): string[] {
  const program = `const loader = require(${JSON.stringify(join(root, 'bin/loader.js'))}).createLoader()
    loader.loadCore()
    console.log(JSON.stringify([...loader.scripts.keys()].map((path) => path.split(/[\\\\/]/).at(-1))))`
  const { stdout } = spawnSync(process.execPath, [...flags, '-e', program], { encoding: 'utf8' })
  return JSON.parse(stdout) as string[]
}

test('the core runs from the code that the build compiled', () => expect(compiledOf(ROOT)).toEqual(['core.cjs']))

test('code that V8 does not accept is compiled again', () => {
  // Other flags make other code.
  const flags = ['--no-opt']
  expect(compiledOf(ROOT, flags)).toEqual([])
  const { stdout, status } = spawnSync(process.execPath, [...flags, BIN, ...ECHO], { encoding: 'utf8' })
  expect({ stdout, status }).toEqual({ stdout: 'hello\n', status: 0 })
})

/** Other bytes, as many of them. */
function overwrite(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes.write('IS', at)
  writeFileSync(path, bytes)
}

test.each(['missing', 'cut short', 'damaged', 'of another place', 'of another text'])(
  'a cache %s harms nobody',
  (kind) => {
    const dir = makeFolder()
    const isLoaded = (path: string): boolean => !/\.(?:map|d\.ts)$|\bdist.viewer$/.test(path)
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(join(ROOT, part), join(dir, part), { recursive: true, filter: isLoaded })
    const cache = join(dir, 'dist/chunks/core.cjs.cache')
    if (kind !== 'of another place') {
      // As if it had been made here, which a copy has not.
      spawnSync(process.execPath, ['-e', REMAKE, join(dir, 'bin/loader.js')])
      expect(compiledOf(dir)).toEqual(['core.cjs'])
    }
    if (kind === 'missing') rmSync(cache)
    if (kind === 'cut short') truncateSync(cache, 10_000)
    if (kind === 'damaged') overwrite(cache, 100_000)
    if (kind === 'of another text') {
      const source = join(dir, 'dist/chunks/core.cjs')
      overwrite(source, readFileSync(source).indexOf('is not equal'))
    }
    expect(compiledOf(dir)).toEqual([])
    const { stdout } = spawnSync(process.execPath, [join(dir, 'bin/viva.js'), ...ECHO], { encoding: 'utf8' })
    expect(stdout).toBe('hello\n')
  },
)

test('an agent that imports the library meets the same classes', async () => {
  const dir = makeFolder({
    'agent.mjs': `import { AgentError } from ${JSON.stringify(join(ROOT, 'dist/index.js'))}
      export function answer() { throw new AgentError({ code: 'quota', message: 'nothing left', hint: 'pay the bill' }) }`,
    'cases.jsonl': '{"id": "a", "input": "hi"}\n',
  })
  const { stdout, code } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer'], { cwd: dir })
  expect(code).toBe(1)
  expect(stdout).toContain('nothing left')
  expect(stdout).toContain('pay the bill')
})

/** Every source file whose code a command has loaded, from the maps of the files it read. */
function sourcesOf(args: string[], cwd: string): string[] {
  const hook = join(cwd, 'hook.cjs')
  const log = join(cwd, 'read.txt')
  writeFileSync(
    hook,
    `const fs = require('node:fs')
    const { readFileSync } = fs
    fs.readFileSync = (path, ...more) => {
      fs.appendFileSync(${JSON.stringify(log)}, String(path) + '\\n')
      return readFileSync(path, ...more)
    }`,
  )
  writeFileSync(log, '')
  spawnSync(process.execPath, ['--require', hook, BIN, ...args], { cwd, encoding: 'utf8' })
  const read = readFileSync(log, 'utf8').split('\n')
  const files = [...new Set(read.filter((path) => path.includes('/dist/') && existsSync(`${path}.map`)))]
  return files.flatMap((path) => {
    const { sources } = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { sources: string[] }
    return sources.map((source) => source.replace(/^.*?\/src\//, 'src/').replace(/^.*\/node_modules\//, ''))
  })
}

test('one echo case loads nothing of what it does not use', () => {
  const unused =
    /^src\/(?:pipeline\/sources\/import|cli\/watch|cli\/init|cli\/doctor|run\/library|fleet|mcp|viewer|proxy|orchestrator|recordings|revisions|chaos)\/|otel|otlp|telemetry|traced-agent|prune-events|past-verdicts|define-cases|case-module|^src\/(?:index|vitest)\.ts/
  const cwd = makeFolder({
    'cases.jsonl': '{"id": "a", "input": "hi", "assert": {"type": "contains", "value": "hi"}}\n',
    'trace.json': '{}',
    'promptfooconfig.yaml': 'prompts: [hi]\nproviders: [echo]\n',
    '.viva/keep': '',
  })
  const loaded = sourcesOf(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo'], cwd)
  expect(loaded).toContain('src/run.ts')
  expect(loaded.filter((path) => unused.test(path))).toEqual([])
  expect(sourcesOf(['--version'], cwd).filter((path) => unused.test(path))).toEqual([])
  // The pattern sees what is loaded where it is used.
  expect(sourcesOf(['import', 'promptfooconfig.yaml', '-o', 'out'], cwd).filter((path) => unused.test(path))).toContain(
    'src/import/import-file.ts',
  )
})

test('a package without scripts loads nothing that reads or runs them', () => {
  const cwd = makeFolder({
    'app.yao': '{}',
    'assistants/a/package.yao': '{ "name": "A", "connector": "mock" }',
    'assistants/a/mock.yml': '- { output: fine }',
    'assistants/a/tests/inputs.jsonl': [{ id: 'a', input: 'x', assert: { type: 'contains', value: 'fine' } }],
  })
  const ofScripts = (): string[] =>
    sourcesOf(['test', '-i', 'assistants/a/tests/inputs.jsonl'], cwd).filter((path) =>
      path.startsWith('src/scripts/compile/'),
    )
  expect(ofScripts()).toEqual([])
  writeFiles(cwd, { 'assistants/a/src/index.ts': 'export function Next() {}' })
  expect(ofScripts()).toContain('src/scripts/compile/parse.ts')
})

test('V8 knows every flag that a large run sets', () => {
  const flags = tuningFlags(100_000, 1, process.versions.v8)
  expect(flags).not.toEqual([])
  const { stderr, status } = spawnSync(process.execPath, [...flags, '-e', '0'], { encoding: 'utf8' })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
})
