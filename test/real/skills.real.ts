// Coding agents, as published, with the skill of examples/skill against the loopback model: with it and without it, what was
// offered and used, recorded, and replayed with the model stopped. `VIVA_RECORD=1` keeps the recordings for the example.
import { copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/run-cli.js'
import { ACP, BACKENDS, type CodingAgent } from './coding-agents.js'
import type { ModelServer } from './model/index.js'
import { needsUser, openWorkbench, type Workbench } from './workbench.js'

const EXAMPLE = join(ROOT, 'examples/skill')

interface Skilled {
  agent: CodingAgent
  target: string
  /** How its model uses a skill. */
  use: (skill: string) => { name: string; args: object }
  /** How its model runs a command. */
  shell: (command: string) => { name: string; args: object }
  folder: string
  /** What it offers on its own, among others; undefined: it does not say what it offers. */
  offers: string | undefined
  /** Which program it needs that may not be there. */
  needs?: string
}

const codexUse = (skill: string) => ({ name: 'exec_command', args: { cmd: `cat .agents/skills/${skill}/SKILL.md` } })
const codexShell = (cmd: string) => ({ name: 'exec_command', args: { cmd } })
const claudeUse = (skill: string) => ({ name: 'Skill', args: { skill } })
const bash = (command: string) => ({ name: 'Bash', args: { command, description: 'Counts' } })
const geminiUse = (name: string) => ({ name: 'activate_skill', args: { name } })
const geminiShell = (command: string) => ({ name: 'run_shell_command', args: { command } })
const openUse = (name: string) => ({ name: 'skill', args: { name } })
const openShell = (command: string) => ({ name: 'bash', args: { command, description: 'Counts' } })

const of = (list: Record<string, CodingAgent>, name: string): CodingAgent => {
  const agent = list[name]
  if (!agent) throw new Error(`no agent called ${name}`)
  return agent
}

const AGENTS: Record<string, Skilled> = {
  'claude-code': {
    agent: of(BACKENDS, 'claude-code'),
    target: 'cli:claude',
    use: claudeUse,
    shell: bash,
    folder: '.claude/skills',
    offers: 'code-review',
  },
  codex: {
    agent: of(BACKENDS, 'codex'),
    target: 'cli:codex',
    use: codexUse,
    shell: codexShell,
    folder: '.agents/skills',
    offers: 'skill-creator',
  },
  'gemini-cli': {
    agent: of(BACKENDS, 'gemini-cli'),
    target: 'cli:gemini --model gemini-2.5-pro',
    use: geminiUse,
    shell: geminiShell,
    folder: '.gemini/skills',
    offers: 'skill-creator',
  },
  opencode: {
    agent: of(BACKENDS, 'opencode'),
    target: 'cli:opencode --model loopback/m',
    use: openUse,
    shell: openShell,
    folder: '.opencode/skills',
    offers: 'customize-opencode',
    needs: 'rg',
  },
  'claude-acp': {
    agent: of(ACP, 'claude-acp'),
    target: 'acp:claude-agent-acp',
    use: claudeUse,
    shell: bash,
    folder: '.claude/skills',
    offers: 'code-review',
  },
  'codex-acp': {
    agent: of(ACP, 'codex-acp'),
    target: 'acp:codex-acp',
    use: codexUse,
    shell: codexShell,
    folder: '.agents/skills',
    offers: 'skill-creator',
  },
  'gemini-cli (ACP)': {
    agent: of(ACP, 'gemini-cli (ACP)'),
    target: 'acp:gemini --acp --skip-trust --model gemini-2.5-pro',
    use: geminiUse,
    shell: geminiShell,
    folder: '.gemini/skills',
    offers: undefined,
  },
  'opencode (ACP)': {
    agent: of(ACP, 'opencode (ACP)'),
    target: 'acp:opencode acp',
    use: openUse,
    shell: openShell,
    folder: '.opencode/skills',
    offers: 'customize-opencode',
    needs: 'rg',
  },
}

/** What each puts into its requests on its own, and no built-in rule knows. */
const PATTERNS = {
  device: 'device_id[^0-9a-f]+[0-9a-f]{64}',
  session: 'session_id[^0-9a-f]+[0-9a-f-]{36}',
}

/** A model that uses a skill if its request offers it, and guesses otherwise. */
function behave({ use, shell, folder }: Skilled): Parameters<ModelServer['decide']>[0] {
  const usage = { input: 100, output: 20 }
  const say = (text: string) => ({ kind: 'answer' as const, pieces: [text], usage })
  return ({ tools, results }, { body }) => {
    const asked = JSON.stringify(body)
    const [, kind] = /How (?:many|long)[^"]*?(words|lines)/.exec(asked) ?? []
    if (kind === undefined) return say('Paris.')
    const skill = kind === 'words' ? 'word-count' : 'line-count'
    const isOffered = asked.includes(kind === 'words' ? 'Counts the words of a text' : 'Counts the lines of a file')
    if (!isOffered) return say('About 12.')
    const file = /(notes|story)\.txt/.exec(asked)?.[0] ?? ''
    const command = kind === 'words' ? `sh ${folder}/word-count/scripts/count.sh ${file}` : `wc -l ${file}`
    const next = results.length === 0 ? use(skill) : results.length === 1 ? shell(command) : undefined
    if (next && tools.includes(next.name))
      return {
        ...say('One moment.'),
        calls: [{ id: `call_${results.length}`, name: next.name, args: JSON.stringify(next.args) }],
      }
    const counted = /\b(?:5|17)\b/.exec(results.at(-1) ?? '')?.[0]
    return say(kind === 'words' ? `\n${counted ?? 'unknown'}` : '1')
  }
}

async function open({ agent, target }: Skilled): Promise<Workbench> {
  const bench = await openWorkbench(agent)
  cpSync(EXAMPLE, join(bench.folder, 'skill'), { recursive: true })
  const home = Object.fromEntries(Object.keys(agent.home ?? {}).map((path) => [path, join('home', path)]))
  const name = target.replace(/^\w+:/, '').split(' ')[0] ?? ''
  mkdirSync(join(bench.folder, 'bin'))
  // Arguments of the test bed that hold its address: what is recorded must not name them.
  const own = agent.folder === 'codex' ? agent.args(bench.model.url).filter((arg) => arg !== '') : []
  const quoted = own.map((arg) => `'${arg}'`).join(' ')
  writeFileSync(join(bench.folder, 'bin', name), `#!/bin/sh\nexec ${bench.program} ${quoted} "$@"\n`, { mode: 0o755 })
  bench.add({
    'viva.config.json': {
      agents: { tested: { target, env: agent.env(bench.model.url), home } },
      redactions: { patterns: PATTERNS },
    },
  })
  return bench
}

function run(bench: Workbench, skilled: Skilled, out: string, more: string[] = []) {
  const named = skilled.agent.home || target(skilled).startsWith('acp:') ? 'tested' : target(skilled)
  const args = ['test', '-i', 'skill/cases.jsonl', '-n', 'skill:skill/word-count', '--skills', 'skill/line-count']
  const passed = Object.keys(skilled.agent.env('')).flatMap((name) => ['--pass-env', name])
  return bench.viva([...args, '--with', named, '-o', out, '--parallel', '1', '--timeout', '90s', ...passed, ...more], {
    PATH: `${join(bench.folder, 'bin')}:${bench.path}${process.env['VIVA_REAL_PATH'] ?? ''}`,
    CODEX_API_KEY: 'loopback',
  })
}

const target = ({ target: text }: Skilled): string => text

function shown(bench: Workbench, file: string) {
  return Object.fromEntries(
    bench.results(file).map(({ id, variant, status, error_kind }) => [`${id} ${variant}`, error_kind ?? status]),
  )
}

describe.each(Object.entries(AGENTS))('%s', (name, skilled) => {
  const missing = needsUser(skilled.agent.command)
  const lacks = skilled.needs !== undefined && !hasProgram(skilled.needs)
  test.skipIf(missing !== undefined || lacks)('with the skill and without it, recorded and replayed', async () => {
    const bench = await open(skilled)
    bench.model.decide(behave(skilled))
    const live = await run(bench, skilled, 'live.jsonl', ['--record', 'tape.yaml'])
    expect(bench.model.refusals).toEqual([])
    const verdicts = shown(bench, 'live.jsonl')
    // Where it does not say what it offers, a skill that stays quiet is no verdict.
    const quiet = skilled.offers === undefined ? 'input' : 'passed'
    expect(verdicts, live.printed).toEqual({
      'short without_skill': 'assertion',
      'short with_skill': 'passed',
      'long without_skill': 'assertion',
      'long with_skill': 'passed',
      'asks-for-it without_skill': 'skipped',
      'asks-for-it with_skill': 'passed',
      'asks-for-lines without_skill': 'skipped',
      'asks-for-lines with_skill': quiet,
      'asks-something-else without_skill': 'skipped',
      'asks-something-else with_skill': quiet,
    })
    for (const { variant, skills, status, id } of bench.results('live.jsonl')) {
      if (status === 'skipped') continue
      const expected = variant === 'with_skill' ? ['line-count', 'word-count'] : ['line-count']
      if (skilled.offers === undefined) expect(skills?.offered).toBeUndefined()
      else {
        expect(skills?.offered).toContain(skilled.offers)
        expect(skills?.offered?.filter((skill) => skill.endsWith('-count')).toSorted()).toEqual(expected)
      }
      if (id === 'asks-for-lines') expect(skills?.invoked).toEqual(['line-count'])
      if (id === 'short') expect(skills?.invoked).toEqual(variant === 'with_skill' ? ['word-count'] : [])
    }
    await bench.model.close()
    const replayed = await run(bench, skilled, 'replayed.jsonl', ['--replay', 'tape.yaml'])
    expect(shown(bench, 'replayed.jsonl'), replayed.printed).toEqual(verdicts)
    const kept = join(EXAMPLE, `${skilled.agent.command}.yaml`)
    if (process.env['VIVA_RECORD'] === '1' && existsSync(kept)) copyFileSync(join(bench.folder, 'tape.yaml'), kept)
  })
})

test.skipIf(needsUser('claude') !== undefined)(
  'claude-code: the calls of its model, recorded and replayed with the model stopped',
  async () => {
    const skilled = AGENTS['claude-code'] as Skilled
    const bench = await open(skilled)
    bench.model.decide(behave(skilled))
    const more = ['--run', '^(short|asks-for-it)$']
    const live = await run(bench, skilled, 'live.jsonl', [...more, '--record', 'calls.yaml', '--record-http'])
    const verdicts = shown(bench, 'live.jsonl')
    expect(verdicts, live.printed).toMatchObject({ 'short with_skill': 'passed', 'asks-for-it with_skill': 'passed' })
    await bench.model.close()
    const replayed = await run(bench, skilled, 'replayed.jsonl', [...more, '--replay', 'calls.yaml'])
    expect(shown(bench, 'replayed.jsonl'), replayed.printed).toEqual(verdicts)
  },
)

function hasProgram(name: string): boolean {
  const folders = `/usr/bin:/bin${process.env['VIVA_REAL_PATH'] ?? ''}`.split(':')
  return folders.some((folder) => folder !== '' && existsSync(join(folder, name)))
}
