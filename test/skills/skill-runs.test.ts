// `-n skill:DIR --with TARGET`: the same agent with a skill and without it.
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ResultEvent, SummaryEvent } from '../../src/model/event.js'
import { parseEvents, viva, type Files } from '../support/run-cli.js'
import { makeSkillFolder, SKILL_MD } from '../support/skilled-claude.js'

async function run(dir: string, more: string[] = [], target = 'skill:word-count') {
  const given = more.includes('--with') ? more : ['--with', 'cli:./claude', ...more]
  const args = ['test', '-i', 'cases.jsonl', '-n', target, '-o', 'out.jsonl', ...given]
  const ran = await viva(args, { cwd: dir, env: { ANTHROPIC_API_KEY: 'x' } })
  const events = (() => {
    try {
      return parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8'))
    } catch {
      return []
    }
  })()
  const results = events.filter(({ type }) => type === 'result') as unknown as ResultEvent[]
  const summary = events.find(({ type }) => type === 'summary') as unknown as SummaryEvent
  const of = (id: string, side: 'with' | 'without'): ResultEvent | undefined =>
    results.find((result) => result.id === id && result.variant === `${side}_skill`)
  return { ...ran, results, summary, of }
}

const folder = (cases: object[], files: Files = {}): string => makeSkillFolder({ 'cases.jsonl': cases, ...files })

describe('with and without', () => {
  test('two paired variants: what each was offered, the difference, cost, time and tokens', async () => {
    const dir = folder([{ id: 'a', input: 'How long is it?', assert: { type: 'contains', value: 'three' } }])
    const { code, of, summary, stdout } = await run(dir)
    expect(of('a', 'without')).toMatchObject({
      status: 'failed',
      skills: { tested: 'word-count', offered: ['built-in'], invoked: [] },
    })
    expect(of('a', 'with')).toMatchObject({
      status: 'passed',
      skills: { tested: 'word-count', offered: ['built-in', 'word-count'], invoked: [] },
    })
    expect(summary.variants?.map(({ name }) => name)).toEqual(['without_skill', 'with_skill'])
    expect(summary.variants?.[1]?.difference).toMatchObject({ points: 100, cases: 1 })
    for (const row of summary.variants ?? [])
      expect(row).toMatchObject({
        cost_dollars: 0.01,
        usage: { total_tokens: 15 },
        p50_duration_ms: expect.any(Number),
      })
    expect(stdout).toContain('without_skill')
    // What the side without it fails is no reason to fail the run.
    expect(code).toBe(0)
  })

  test('an estimate is of the sides that a case runs on', async () => {
    const dir = folder([
      { id: 'a', input: 'How long is it?', assert: { type: 'contains', value: 'three' } },
      { id: 'b', input: 'use word-count', should_trigger: true },
      { id: 'c', input: 'sing', should_trigger: false },
    ])
    const args = ['estimate', '-i', 'cases.jsonl', '-n', 'skill:word-count', '--with', 'cli:./claude', '--runs', '5']
    const { stdout } = await viva(args, { cwd: dir, env: { ANTHROPIC_API_KEY: 'x' } })
    expect(stdout).toContain('3 cases × 2 variants × 5 runs: 20 units (2 cases for one variant only)')
    expect(stdout).toContain('about $0.20 ($0.20 to $0.20)')
  })

  test('the failures of the side with it do fail the run', async () => {
    const { code } = await run(folder([{ id: 'a', input: 'x', assert: { type: 'contains', value: 'never' } }]))
    expect(code).toBe(1)
  })

  test('a workspace and a home of its own for each case, on both sides', async () => {
    const dir = folder([{ id: 'a', input: 'say HOME CWD', assert: { type: 'contains', value: 'viva-workspaces' } }], {
      '.claude/skills/other/SKILL.md': SKILL_MD.replace('word-count', 'other'),
    })
    const { of } = await run(dir)
    for (const side of ['with', 'without'] as const) {
      expect(of('a', side)?.status).toBe('passed')
      // That of the person's home, which is this folder, is offered on neither.
      expect(of('a', side)?.skills?.offered).not.toContain('other')
    }
  })

  test('files come as they are: bytes, modes, links within the folder; not the evals', async () => {
    const cases = [
      {
        id: 'a',
        input: 'run word-count',
        assert: [
          { type: 'file_exists', path: '.claude/skills/word-count/data.bin' },
          { type: 'file_contains', path: '.claude/skills/word-count/linked.sh', pattern: 'wc -w' },
          { type: 'file_exists', path: '.claude/skills/word-count/evals/evals.json', negate: true },
          { type: 'tool_result', tool: 'Bash', result: '73' },
        ],
      },
    ]
    const dir = folder(cases, {
      'word-count/data.bin': Buffer.from([0, 255, 1, 254]),
      'word-count/evals/evals.json': { evals: [] },
    })
    chmodSync(join(dir, 'word-count/count.sh'), 0o755)
    symlinkSync('count.sh', join(dir, 'word-count/linked.sh'))
    const { of } = await run(dir)
    expect(of('a', 'with')).toMatchObject({ status: 'passed' })
    expect(of('a', 'with')?.changes).toBeUndefined()
  })

  test('a checkout of a skill may be called otherwise: it is installed by its name', async () => {
    const dir = folder([{ id: 'a', input: 'use word-count', should_trigger: true }], {
      'word-count-skill/SKILL.md': SKILL_MD,
    })
    const { of } = await run(dir, [], 'skill:word-count-skill')
    expect(of('a', 'with')).toMatchObject({ status: 'passed', skills: { tested: 'word-count' } })
  })

  test('a skill that is not offered is an error, not a skill that was not used', async () => {
    const { of, code } = await run(
      folder([
        { id: 'a', input: 'hide them; say ok', assert: { type: 'contains', value: 'ok' } },
        { id: 'b', input: 'hide them; say ok', should_trigger: false },
      ]),
    )
    for (const id of ['a', 'b']) expect(of(id, 'with')).toMatchObject({ status: 'failed', error_kind: 'agent' })
    expect(of('a', 'with')?.error).toContain('skill_not_offered')
    expect(of('a', 'without')?.status).toBe('passed')
    expect(code).toBe(1)
  })

  test('one that the other side has too is an error', async () => {
    const fixtures = { '.claude/skills/word-count/SKILL.md': SKILL_MD }
    const { of, code } = await run(
      folder([{ id: 'a', input: 'say ok', workspace: { fixtures }, assert: { type: 'contains', value: 'ok' } }]),
    )
    expect(of('a', 'without')).toMatchObject({ status: 'failed', error_kind: 'agent' })
    expect(of('a', 'without')?.error).toContain('skill_offered_without')
    expect(code).toBe(1)
  })

  test('a recording plays without the program, and not for a skill that has changed since', async () => {
    const dir = folder([{ id: 'a', input: 'use word-count', should_trigger: true }])
    await run(dir, ['--record', 'tape.yaml', '-o', 'recorded.jsonl'])
    writeFileSync(join(dir, 'claude'), '#!/bin/sh\nexit 9\n')
    const replayed = await run(dir, ['--replay', 'tape.yaml'])
    expect(replayed.of('a', 'with')).toMatchObject({ status: 'passed', skills: { invoked: ['word-count'] } })
    writeFileSync(join(dir, 'word-count/count.sh'), 'echo other\n')
    const changed = await run(dir, ['--replay', 'tape.yaml'])
    expect([changed.code, changed.of('a', 'with')?.status]).toEqual([1, 'failed'])
  })
})

test('a run is not continued with other files of the skill', async () => {
  const dir = folder(['a', 'b'].map((id) => ({ id, input: 'x', assert: { type: 'contains', value: 'three' } })))
  await run(dir)
  const lines = readFileSync(join(dir, 'out.jsonl'), 'utf8').split('\n')
  const isCut = (line: string): boolean => line.includes('"type":"summary"') || line.includes('"id":"b"')
  writeFileSync(join(dir, 'cut.jsonl'), `${lines.filter((line) => line !== '' && !isCut(line)).join('\n')}\n`)
  writeFileSync(join(dir, 'word-count/count.sh'), 'echo other\n')
  const { code, stderr } = await run(dir, ['--resume', 'cut.jsonl'])
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('the files of a skill have changed since the run began: word-count'),
  ])
})

describe('triggers', () => {
  test('whether it is used, counted by what should have been', async () => {
    const other = SKILL_MD.replace('word-count', 'word-count-fast')
    const dir = folder(
      [
        { id: 'used', input: 'use word-count', should_trigger: true },
        { id: 'read', input: 'read word-count', should_trigger: true },
        { id: 'missed', input: 'say I used the skill word-count', should_trigger: true },
        { id: 'other', input: 'use word-count-fast', should_trigger: true },
        { id: 'quiet', input: 'say ok', should_trigger: false },
        { id: 'wrong', input: 'use word-count', should_trigger: false },
        { id: 'else', input: 'use word-count-fast', should_trigger: false },
        { id: 'failing', input: 'fail word-count', should_trigger: true },
        { id: 'failed', input: 'fail word-count', should_trigger: false },
      ],
      { 'word-count-fast/SKILL.md': other },
    )
    const { of, summary, results } = await run(dir, ['--skills', 'word-count-fast'])
    const ended = Object.fromEntries(
      results
        .filter(({ variant }) => variant === 'with_skill')
        .map(({ id, status, error_kind }) => [id, error_kind ?? status]),
    )
    expect(ended).toEqual({
      used: 'passed',
      read: 'passed',
      missed: 'assertion',
      other: 'assertion',
      quiet: 'passed',
      wrong: 'assertion',
      else: 'passed',
      failing: 'input',
      failed: 'input',
    })
    expect(of('other', 'with')?.choice).toEqual({ of: 'skill', expected: 'word-count', taken: 'word-count-fast' })
    expect(of('else', 'with')?.choice).toMatchObject({ expected: null, taken: null, near: 'used word-count-fast' })
    expect(summary.variants?.[1]?.choices?.[0]).toMatchObject({ of: 'skill', runs: 7, right: 4, lost: 2 })
    // They are not for the side without it: neither skipped nor compared.
    expect(of('used', 'without')).toMatchObject({ status: 'skipped', skipped_by: 'variant' })
    expect(summary.skipped).toBe(0)
    expect(summary.variants?.[0]).toMatchObject({ total: 0, skipped: 0, not_run: 0 })
    expect(summary.variants?.[1]?.difference).toBeUndefined()
  })

  test('no verdict where the agent does not say what it was offered', async () => {
    const { of } = await run(
      folder([
        { id: 'quiet', input: 'list nothing; say ok', should_trigger: false },
        { id: 'missed', input: 'list nothing; say ok', should_trigger: true },
        { id: 'used', input: 'list nothing; use word-count', should_trigger: true },
      ]),
    )
    expect([of('quiet', 'with')?.error_kind, of('missed', 'with')?.error_kind]).toEqual(['input', 'input'])
    expect(of('used', 'with')?.status).toBe('passed')
  })

  test('several runs, and only trigger cases', async () => {
    const cases = [{ id: 'a', input: 'use word-count', should_trigger: true }]
    const { code, summary, results, stdout } = await run(folder(cases), ['--runs', '2'])
    expect([code, summary.passed, summary.skipped, summary.not_run]).toEqual([0, 1, 0, 0])
    expect(results.map(({ variant, run: at }) => `${variant} ${at}`).toSorted()).toEqual([
      'with_skill 1',
      'with_skill 2',
      'without_skill 1',
    ])
    expect(stdout.match(/\[a\]/g)).toHaveLength(1)
  })
})

describe('an agent that Viva does not know', () => {
  const AGENT = `import { existsSync } from 'node:fs'
    const has = existsSync('skills/word-count/SKILL.md')
    const skills = process.argv[2] === 'mute' ? undefined : { offered: has ? ['word-count'] : [], invoked: has ? ['word-count'] : [], tested: 'x' }
    console.log(JSON.stringify({ content: 'ok', skills }))`
  const cases = [{ id: 'a', input: 'x', should_trigger: true }]

  test('needs to be told where it looks, and may report skills itself', async () => {
    const dir = folder(cases, { 'agent.mjs': AGENT })
    const lost = await run(dir, ['--with', 'exec:node agent.mjs'])
    expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining('--skills-folder')])
    const found = await run(dir, ['--with', 'exec:node agent.mjs', '--skills-folder', 'skills'])
    expect(found.of('a', 'with')).toMatchObject({ status: 'passed', skills: { tested: 'word-count' } })
  })

  test('what it reports counts both ways, whether or not it reports tool calls', async () => {
    const quiet = AGENT.replace("invoked: has ? ['word-count'] : []", 'invoked: []')
    const dir = folder([...cases, { id: 'b', input: 'x', should_trigger: false }], { 'agent.mjs': quiet })
    const { of } = await run(dir, ['--with', 'exec:node agent.mjs', '--skills-folder', 'skills'])
    expect([of('a', 'with')?.error_kind, of('b', 'with')?.status]).toEqual(['assertion', 'passed'])
  })

  test('what it reports does not outweigh what its calls show, nor a copy under another prefix', async () => {
    const agent = `import { existsSync, readFileSync } from 'node:fs'
      const reply = JSON.parse(JSON.parse(readFileSync(0, 'utf8')).messages.at(-1).content)
      console.log(JSON.stringify({ content: 'ok', ...(existsSync('skills/word-count/SKILL.md') ? reply.has : reply.lacks) }))`
    const quiet = { skills: { offered: ['word-count'], invoked: [] } }
    const none = { skills: { offered: [], invoked: [] } }
    const call = { name: 'Skill', args: { skill: 'word-count' } }
    const reading = { name: 'Read', args: { file_path: '/elsewhere/word-count/SKILL.md' }, result: 'text' }
    const unused = (id: string, has: object) => ({ id, input: JSON.stringify({ has }), should_trigger: false })
    const helps = (id: string, lacks: object) => ({ id, input: JSON.stringify({ has: quiet, lacks }) })
    const dir = folder(
      [
        unused('quiet', quiet),
        unused('called', { ...quiet, tool_calls: [{ ...call, result: 'ok' }] }),
        unused('failed', { ...quiet, tool_calls: [{ ...call, error: 'boom' }] }),
        unused('unclear', { skills: { ...quiet.skills, unclear: ['word-count'] } }),
        unused('prefix', { skills: { offered: ['word-count', 'p:word-count'], invoked: ['p:word-count'] } }),
        helps('lacks', none),
        helps('has-a-copy', { skills: { offered: ['p:word-count'], invoked: [] } }),
        helps('reads-a-copy', { ...none, tool_calls: [reading] }),
      ],
      { 'agent.mjs': agent },
    )
    const { of } = await run(dir, ['--with', 'exec:node agent.mjs', '--skills-folder', 'skills'])
    const found = ['quiet', 'called', 'failed', 'unclear', 'prefix'].map((id) => of(id, 'with'))
    expect(found.map((result) => result?.error_kind ?? result?.status)).toEqual([
      'passed',
      'assertion',
      'input',
      'input',
      'input',
    ])
    expect(of('lacks', 'without')?.status).toBe('passed')
    expect(of('has-a-copy', 'without')?.error).toContain('but the agent had it, as "p:word-count"')
    expect(of('reads-a-copy', 'without')?.error).toContain('skill_offered_without')
  })

  test('one that reports nothing has no verdict, either way', async () => {
    const both = [...cases, { id: 'b', input: 'x', should_trigger: false }]
    const dir = folder(both, { 'agent.mjs': AGENT })
    const { of } = await run(dir, ['--with', 'exec:node agent.mjs mute', '--skills-folder', 'skills'])
    for (const id of ['a', 'b']) expect(of(id, 'with')).toMatchObject({ status: 'failed', error_kind: 'input' })
  })
})

describe('mistakes', () => {
  const CASES = [{ id: 'a', input: 'x' }]

  test.each([
    ['no SKILL.md', {}, 'skill:.', 'there are skills in it: skill:word-count'],
    ['no folder', {}, 'skill:nowhere', 'no such folder: nowhere'],
    ['a tilde', {}, 'skill:~/word-count', '"skill:$HOME/word-count"'],
    ['no front matter', { 'word-count/SKILL.md': '# Hello\n' }, 'skill:word-count', 'has no front matter'],
    ['no description', { 'word-count/SKILL.md': '---\nname: word-count\n---\n' }, 'skill:word-count', 'description'],
    [
      'a space',
      { 'word count/SKILL.md': SKILL_MD.replace('name: word-count', 'name: word count') },
      'skill:word count',
      'lower-case letters',
    ],
    [
      'not for models',
      { 'word-count/SKILL.md': SKILL_MD.replace('---\n\n', 'disable-model-invocation: true\n---\n\n') },
      'skill:word-count',
      'disable-model-invocation',
    ],
    ['bad YAML', { 'word-count/SKILL.md': '---\nname: [\n---\n' }, 'skill:word-count', 'is not YAML'],
  ])('%s', async (_name, files, target, words) => {
    const { code, stderr } = await run(folder(CASES, files), [], target)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })

  test('a link that leads out', async () => {
    const dir = folder(CASES, { 'secret.txt': 'secret' })
    mkdirSync(join(dir, 'word-count/refs'))
    symlinkSync('../../secret.txt', join(dir, 'word-count/refs/secret.txt'))
    const { code, stderr } = await run(dir)
    expect([code, stderr]).toEqual([2, expect.stringContaining('is a link that cannot be followed')])
  })

  test.each([
    ['--with is missing', ['-n', 'skill:word-count'], '--with is missing'],
    ['--with without a skill', ['-n', 'builtin:echo', '--with', 'cli:claude'], 'is for a skill under test'],
    ['a typo', ['-n', 'skill:word-count', '--with', 'cli:cluade'], 'did you mean "cli:claude"'],
    ['an agent without folders', ['-n', 'skill:word-count', '--with', 'builtin:echo'], 'cannot be given skills'],
    ['two skills', ['-n', 'skill:word-count', '-n', 'skill:b', '--with', 'cli:./claude'], 'a skill is tested alone'],
    [
      'the same skill beside',
      ['-n', 'skill:word-count', '--with', 'cli:./claude', '--skills', 'word-count'],
      'two skills are called',
    ],
  ])('%s', async (_name, args, words) => {
    const dir = folder(CASES)
    const { code, stderr } = await viva(['test', '-i', 'cases.jsonl', ...args], { cwd: dir })
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })
})
