// A skill with its own evals and trigger queries, tested with a coding agent of which it is known what it will do.
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, ROOT, viva, type CliRun } from '../support/run-cli.js'
import { scriptedJudge } from './scripted-judge.js'

export interface Eval {
  id: number
  prompt: string
  expectations: string[]
}

export interface Query {
  query: string
  should_trigger: boolean
}

export interface Planted {
  skill: string
  /** As the skill has them: unchanged. */
  evals?: string
  triggers?: string
  plan: object
  /** Another skill that is installed beside it. */
  beside?: string
}

/** What the agent has met, it says in a comment of the file it writes. */
const JUDGE = scriptedJudge(
  `return (data.files ?? []).some((file) => (file.content ?? '').includes('// met: ' + criteria + '\\n')) ? 5 : 1`,
)

export function plantedFolder({ skill, evals, triggers, plan, beside }: Planted): string {
  const dir = makeFolder({
    ...JUDGE,
    [`${skill}/SKILL.md`]: `---\nname: ${skill}\ndescription: Made up.\n---\n`,
    ...(evals !== undefined && { [`${skill}/evals/evals.json`]: evals }),
    ...(triggers !== undefined && { [`${skill}/evals/triggers.json`]: triggers }),
    ...(beside !== undefined && { [`${beside}/SKILL.md`]: `---\nname: ${beside}\ndescription: Another one.\n---\n` }),
  })
  mkdirSync(join(dir, 'agent'))
  copyFileSync(join(ROOT, 'test/fixtures/skills/coding-agent.mjs'), join(dir, 'agent/claude.mjs'))
  writeFileSync(join(dir, 'agent/plan.json'), JSON.stringify({ skill, ...plan }))
  writeFileSync(
    join(dir, 'agent/claude'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(dir, 'agent/claude.mjs')}" "$@"\n`,
  )
  chmodSync(join(dir, 'agent/claude'), 0o755)
  return dir
}

export function testSkill(dir: string, skill: string, ...more: string[]): Promise<CliRun> {
  const args = ['test', '-n', `skill:${skill}`, '--with', 'cli:./agent/claude', '-o', 'out.jsonl', ...more]
  return viva(args, { cwd: dir, env: { ANTHROPIC_API_KEY: 'x' } })
}
