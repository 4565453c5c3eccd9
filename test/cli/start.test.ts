// How the command starts: with no more than it uses, and as one copy for everybody.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { BIN, makeFolder, ROOT, viva, writeFiles } from '../support/run-cli.js'

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

/** Every source file whose code a command has loaded. The build writes a line with its path above what comes from it. */
function sourcesOf(args: string[], cwd: string): string[] {
  const coverage = mkdtempSync(join(cwd, 'coverage-'))
  spawnSync(process.execPath, [BIN, ...args], { cwd, env: { ...process.env, NODE_V8_COVERAGE: coverage } })
  const urls = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url).filter((url) => url.includes('/dist/'))
  })
  return [...new Set(urls)].flatMap((url) => {
    const paths = readFileSync(fileURLToPath(url), 'utf8').matchAll(/^\/\/ (src\/\S+)$/gm)
    return [...paths].map(([, path]) => path ?? '')
  })
}

test('one echo case loads nothing of what it does not use', () => {
  const unused =
    /^src\/(?:cli\/(?:doctor|init|watch)|diff|fleet|import|interceptors\/\w+|library(?!\/run-tests\b)|mcp|merge|orchestrator|recordings|revisions|tools|viewer|workspaces)\/|otel|otlp|telemetry|traced-agent|prune-events|past-verdicts|define-cases|case-module|^src\/(?:index|vitest)\.ts/
  const cwd = makeFolder({
    'cases.jsonl': '{"id": "a", "input": "hi", "assert": {"type": "contains", "value": "hi"}}\n',
    'trace.json': '{}',
    'promptfooconfig.yaml': 'prompts: [hi]\nproviders: [echo]\n',
    '.viva/keep': '',
  })
  const loaded = sourcesOf(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo'], cwd)
  expect(loaded).toContain('src/run.ts')
  expect(loaded.filter((path) => unused.test(path))).toEqual([])
  const asked = sourcesOf(['--version'], cwd)
  expect(asked).toContain('src/cli/program.ts')
  expect(asked).not.toContain('src/run.ts')
  expect(asked.filter((path) => unused.test(path))).toEqual([])
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
