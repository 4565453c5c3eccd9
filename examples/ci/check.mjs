// The script of the action on a repository made here: worse fails and writes the comment, which is then posted once and
// renewed after that. Actions of others are pinned.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const here = fileURLToPath(new URL('.', import.meta.url))
const bin = fileURLToPath(new URL('../../bin/viva.js', import.meta.url))
const dir = mkdtempSync(join(tmpdir(), 'viva-example-ci-'))
const repo = join(dir, 'repo')
const git = (...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: repo })
const write = (name, text) => writeFileSync(join(repo, name), text)

try {
  mkdirSync(repo)
  git('init', '-q', '-b', 'main')
  const agent = (word) => `export const run = (messages) => '${word} ' + messages.at(-1).content\n`
  const cases = Array.from({ length: 12 }, (_, at) => ({ id: `C${at}`, input: `q${at}`, assert: { type: 'contains', value: 'answer' } }))
  write('cases.jsonl', cases.map((each) => `${JSON.stringify(each)}\n`).join(''))
  write('.gitignore', 'viva-diff.md\noutput*\n')
  write('agent.mjs', agent('an answer to'))
  git('add', '-A')
  git('commit', '-q', '-m', 'one')
  write('agent.mjs', agent('nothing about'))
  git('commit', '-q', '-a', '-m', 'two')

  const action = parse(readFileSync(join(here, 'action.yml'), 'utf8'))
  const [step] = action.runs.steps
  const output = join(dir, 'output')
  const runAction = (inputs) => {
    writeFileSync(output, '')
    const given = Object.fromEntries(Object.entries(action.inputs).map(([name, { default: value }]) => [name, value ?? '']))
    const env = Object.fromEntries(
      Object.entries(step.env).map(([name, value]) => [name, { ...given, ...inputs }[/inputs\.(\w+)/.exec(value)[1]]]),
    )
    return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: repo,
      encoding: 'utf8',
      env: { ...process.env, ...env, GITHUB_OUTPUT: output, VIVA: `${process.execPath} ${bin}` },
    })
  }
  const worse = runAction({ range: 'main~1..main', cases: 'cases.jsonl', agent: './agent.mjs#run', args: '-o\noutput.jsonl\n' })
  assert.equal(worse.status, 1, worse.stderr)
  assert.match(worse.stdout, /✗ worse/)
  assert.equal(readFileSync(output, 'utf8'), 'comment=viva-diff.md\n')
  const comment = readFileSync(join(repo, 'viva-diff.md'), 'utf8')
  assert.match(comment, /^<!-- viva diff -->\n\n## ❌ Worse/)
  // Whatever is written into an input is an argument, not a command.
  const hostile = runAction({ range: '$(touch pwned)..main', cases: 'cases.jsonl; touch pwned', agent: '`touch pwned`' })
  assert.equal(hostile.status, 2)
  assert.equal(existsSync(join(repo, 'pwned')), false)
  assert.equal(existsSync(join(repo, 'viva-diff.md')), false)
  write('viva-diff.md', comment)

  // A stand-in for gh: lists what there is, and notes what it was asked for.
  mkdirSync(join(dir, 'bin'))
  const calls = join(dir, 'calls')
  writeFileSync(
    join(dir, 'bin', 'gh'),
    `#!/bin/sh\necho "$*" >> "${calls}"\ncase "$*" in *--paginate*) cat "${dir}/existing" ;; esac\n`,
  )
  chmodSync(join(dir, 'bin', 'gh'), 0o755)
  const post = (existing) => {
    writeFileSync(join(dir, 'existing'), existing)
    writeFileSync(calls, '')
    const env = { ...process.env, PATH: `${dir}/bin:${process.env.PATH}`, REPOSITORY: 'a/b', PULL_REQUEST: '7' }
    execFileSync(join(here, 'post-comment.sh'), ['viva-diff.md'], { cwd: repo, env })
    return readFileSync(calls, 'utf8').trim().split('\n').at(-1)
  }
  assert.equal(post(''), 'api --method POST repos/a/b/issues/7/comments -F body=@viva-diff.md')
  assert.equal(post('42\n43\n'), 'api --method PATCH repos/a/b/issues/comments/42 -F body=@viva-diff.md')

  const workflow = parse(readFileSync(join(here, 'workflow.yml'), 'utf8'))
  const used = workflow.jobs.diff.steps.flatMap(({ uses }) => uses ?? [])
  for (const uses of used) assert.match(uses, /^\.\/|@[0-9a-f]{40}$/)
  assert.equal(used.length, 4)
  assert.deepEqual(workflow.permissions, { contents: 'read', 'pull-requests': 'write' })
} finally {
  rmSync(dir, { recursive: true, force: true })
}
