// The calls that real coding agents make to their models: recorded through `viva proxy`, and replayed without a model.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BACKENDS } from './coding-agents.js'
import { note } from './results.js'
import { needsUser, openWorkbench, writesOnce } from './workbench.js'

const PROMPT = "'Write hello into hello.txt'"
const QUIET = '</dev/null 2>&1'

/** The command of each, as a user would record it: its address comes from the variable that the proxy sets. */
const COMMANDS: Record<string, string> = {
  'claude-code': `claude --dangerously-skip-permissions -p ${PROMPT} ${QUIET}`,
  'gemini-cli': `gemini --yolo --skip-trust --model gemini-2.5-pro -p ${PROMPT} ${QUIET}`,
  codex: `codex exec --yolo --skip-git-repo-check --model gpt-5-codex -c 'model_provider="recorded"' -c "model_providers.recorded={name=\\"recorded\\",base_url=\\"$OPENAI_BASE_URL\\",env_key=\\"OPENAI_API_KEY\\",wire_api=\\"responses\\"}" ${PROMPT} ${QUIET}`,
  opencode: `opencode run --model recorded/m ${PROMPT} ${QUIET}`,
}

/** What these programs put into their requests on their own: ids that no built-in rule knows. */
const PATTERNS: Record<string, Record<string, string>> = {
  'gemini-cli': { call: '[a-z_]+_[0-9]{13}_[0-9]+' },
  codex: {
    chunk: 'Chunk ID: [0-9a-f]+',
    item: 'fco_[0-9a-f-]{36}',
    started: 'turn_started_at_unix_ms[^0-9]+[0-9]+',
  },
}

const OPENCODE = {
  autoupdate: false,
  share: 'disabled',
  provider: {
    recorded: {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: '{env:OPENAI_BASE_URL}', apiKey: 'recorded' },
      models: { m: {} },
    },
  },
}

describe.each(Object.entries(BACKENDS))('%s', (name, agent) => {
  const missing = needsUser(agent.command)
  if (missing !== undefined) return test('cannot work here', () => note(name, 'model calls replayed', 'no', missing))

  test('its calls are recorded, and replayed with the model stopped', async () => {
    const bench = await openWorkbench(agent, {
      'opencode.json': OPENCODE,
      'work/readme.md': 'work here\n',
      'viva.config.json': { redactions: { patterns: PATTERNS[name] ?? {} } },
    })
    bench.model.decide(writesOnce(agent, ['All ', 'done.'], join(bench.folder, 'work')))
    const url = bench.model.url
    const addresses = { OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url, GOOGLE_GEMINI_BASE_URL: url }
    const config = { OPENCODE_CONFIG: join(bench.folder, 'opencode.json'), OPENCODE_CONFIG_CONTENT: '' }
    const command = ['sh', '-c', `cd work && ${COMMANDS[name]}`]
    const path = { PATH: `${join(bench.program, '..')}:${bench.path}` }
    const play = (...flags: string[]) =>
      bench.viva(['proxy', ...flags, '--', ...command], { ...addresses, ...config, ...path })

    const recorded = await play('--record', 'calls.yaml')
    expect(recorded.printed).toContain('All done.')
    expect(bench.model.refusals).toEqual([])
    expect(bench.read('work/hello.txt')).toBe('hello\n')
    rmSync(join(bench.folder, 'work/hello.txt'))
    await bench.model.close()
    const replayed = await play('--replay', 'calls.yaml')
    expect([replayed.code, bench.read('work/hello.txt')], replayed.printed).toEqual([0, 'hello\n'])
    expect(replayed.printed).toContain('All done.')
    note(name, 'model calls replayed', 'yes')
  })
})
