// The four coding agents, as published, each writing a file in a workspace of a case.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { BIN, parseEvents } from '../support/run-cli.js'
// @ts-expect-error -- plain JavaScript, shared with the installer
import { asUser, USER } from './as-user.mjs'
// @ts-expect-error -- the same
import { CACHE, node24 } from './install.mjs'
import { say, startModelServer, type Behaviour, type ModelServer } from './model/index.js'
import { note } from './results.js'

interface CodingAgent {
  /** The folder of its package, and its command. */
  folder: string
  backend: string
  args: (model: string) => string[]
  env: (model: string) => Record<string, string>
  /** Files of its home: what a user would have set up. */
  home?: Record<string, object>
  /** The tool that writes a file, as the model calls it, and the name under which the agent reports it. */
  write: (path: string) => { name: string; args: object }
  reported: string
  /** Whether it says what an answer cost. */
  cost: boolean
}

const AGENTS: Record<string, CodingAgent> = {
  'claude-code': {
    folder: 'claude-code',
    backend: 'claude',
    args: () => [],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-ant-loopback',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    }),
    write: (path) => ({ name: 'Write', args: { file_path: path, content: 'hello\n' } }),
    reported: 'Write',
    cost: true,
  },
  'gemini-cli': {
    folder: 'gemini-cli',
    backend: 'gemini',
    args: () => ['--model', 'gemini-2.5-pro'],
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'loopback' }),
    home: {
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      },
    },
    write: (path) => ({ name: 'write_file', args: { file_path: path, content: 'hello\n' } }),
    reported: 'write_file',
    cost: false,
  },
  codex: {
    folder: 'codex',
    backend: 'codex',
    args: (url) => [
      '--model',
      'gpt-5-codex',
      '-c',
      'model_provider="loopback"',
      '-c',
      `model_providers.loopback={name="loopback",base_url="${url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}`,
    ],
    env: () => ({ OPENAI_API_KEY: 'loopback' }),
    write: () => ({ name: 'exec_command', args: { cmd: 'echo hello > hello.txt' } }),
    reported: 'command_execution',
    cost: false,
  },
  opencode: {
    folder: 'opencode',
    backend: 'opencode',
    args: () => ['--model', 'loopback/m'],
    env: (url) => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        provider: {
          loopback: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'loopback' },
            models: { m: { cost: { input: 1, output: 2 } } },
          },
        },
      }),
    }),
    write: (path) => ({ name: 'write', args: { filePath: path, content: 'hello\n' } }),
    reported: 'write',
    cost: true,
  },
}

describe.each(Object.entries(AGENTS))('%s', (name, agent) => {
  test('writes a file: true verdicts, both ways', async () => {
    const { results, model } = await run(agent, [
      {
        id: 'holds',
        assert: [
          { type: 'file_contains', path: 'hello.txt', pattern: 'hello' },
          { type: 'tool_called', name: agent.reported },
          { type: 'tool_not_called', name: 'no_such_tool' },
          { type: 'tokens', max: 100_000 },
          ...(agent.cost ? [{ type: 'cost_within', max_dollars: 10 }] : []),
        ],
      },
      { id: 'called', assert: [{ type: 'tool_not_called', name: agent.reported }] },
      { id: 'not-called', assert: [{ type: 'tool_called', name: 'no_such_tool' }] },
      { id: 'no-file', assert: [{ type: 'file_contains', path: 'hello.txt', pattern: 'good bye' }] },
      { id: 'tokens', assert: [{ type: 'tokens', max: 1 }] },
      { id: 'cost', assert: [{ type: 'cost_within', max_dollars: 0 }] },
    ])
    expect(model.refusals).toEqual([])
    const verdicts = Object.fromEntries(results.map(({ id, status, error_kind }) => [id, error_kind ?? status]))
    expect(verdicts, JSON.stringify(results[0]?.error)).toEqual({
      holds: 'passed',
      called: 'assertion',
      'not-called': 'assertion',
      'no-file': 'assertion',
      tokens: 'assertion',
      cost: agent.cost ? 'assertion' : expect.stringMatching(/^(?!passed)/),
    })
    note(name, 'one turn with a tool', 'yes')
    note(name, 'tokens', 'yes')
    note(name, 'cost', agent.cost ? 'yes' : 'no')
  })

  test('an error of its model fails the case', async () => {
    const { results } = await run(agent, [{ id: 'error', assert: [{ type: 'not_contains', value: 'sorry' }] }], () => ({
      kind: 'error',
      status: 400,
      type: 'invalid_request_error',
      message: 'no such model',
    }))
    expect(results.map(({ status }) => status)).toEqual(['failed'])
    note(name, 'error', 'yes')
  })
})

async function run(agent: CodingAgent, cases: object[], decide?: () => Behaviour) {
  const model = await startModelServer(say('unused'))
  onTestFinished(() => model.close())
  model.decide(decide ?? writesOnce(agent))
  const folder = mkdtempSync(join(tmpdir(), 'viva-real-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = agent.env(model.url)
  const backend = { type: agent.backend, command: join(CACHE, agent.folder, 'node_modules/.bin', commandOf(agent)) }
  write(folder, {
    'hats.json': {
      cli: { backend: agent.backend, command: backend.command, args: agent.args(model.url) },
      event_loop: { max_iterations: 1 },
    },
    ...Object.fromEntries(Object.entries(agent.home ?? {}).map(([path, value]) => [`home/${path}`, value])),
  })
  mkdirSync(join(folder, 'home'), { recursive: true })
  const lines = cases.map((each) => JSON.stringify({ input: 'Write hello into hello.txt', workspace: {}, ...each }))
  writeFileSync(join(folder, 'cases.jsonl'), `${lines.join('\n')}\n`)
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${USER}:${USER}`, folder])
  chmodSync(folder, 0o755)
  const args = [
    BIN,
    'test',
    '-i',
    'cases.jsonl',
    '-n',
    'orchestrator:hats.json',
    '-o',
    'out.jsonl',
    '--timeout',
    '120s',
    '--parallel',
    '1',
  ]
  const [command, all] = asUser(node24(), [...args, ...Object.keys(env).flatMap((key) => ['--pass-env', key])]) as [
    string,
    string[],
  ]
  const child = spawn(command, all, {
    cwd: folder,
    env: { HOME: join(folder, 'home'), PATH: `${dirname(node24() as string)}:/usr/bin:/bin`, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await new Promise((resolve) => child.on('close', resolve))
  const events = parseEvents(readOr(join(folder, 'out.jsonl'), printed))
  return { results: events.filter(({ type }) => type === 'result') as unknown as ResultEvent[], model, printed }
}

/** A model that calls the writing tool once, and then is done. */
function writesOnce(agent: CodingAgent): Parameters<ModelServer['decide']>[0] {
  const usage = { input: 100, output: 20, cached: 40 }
  return ({ tools, task, results }, { body }) => {
    const done: Behaviour = { ...say('All done.\nLOOP_COMPLETE'), usage }
    if (results.length > 0 || !/hello\.txt/.test(task)) return done
    const folder = /(\/[^\s"'<>]*viva-workspaces[^\s"'<>\\]*)/.exec(JSON.stringify(body))?.[1] ?? '.'
    const { name, args } = agent.write(join(folder, 'hello.txt'))
    if (!tools.includes(name)) return done
    return {
      kind: 'answer',
      pieces: ['Writing it.'],
      calls: [{ id: `call_${results.length}`, name, args: JSON.stringify(args) }],
      usage,
    }
  }
}

function commandOf({ backend }: CodingAgent): string {
  return backend
}

function write(folder: string, files: Record<string, object>): void {
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(value))
  }
}

function readOr(path: string, printed: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Error(`no events:\n${printed}`)
  }
}
