// Folders of the project that are links out of it: refused before anything is run, written or removed there.
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'
import { manyCases } from './support.js'

/** A project, and an unrelated folder beside it. */
function project(): { dir: string; outside: string } {
  const dir = makeFolder({ 'app.yao': '{}', 'cases.jsonl': manyCases(2), 'inside/real/.keep': '' })
  const outside = makeFolder({ 'kept.jsonl': 'kept' })
  return { dir, outside }
}

const TEST = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo']

async function refused(dir: string, outside: string, args: string[]): Promise<void> {
  const { code, stdout, stderr } = await viva(args, { cwd: dir })
  expect({ args, code, stdout, stderr }).toEqual({
    args,
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`is a link out of the project, to ${realpathSync(outside)}`),
  })
  expect(stderr).toContain('code: LINKED_OUT')
  expect(readdirSync(outside)).toEqual(['kept.jsonl'])
}

test.each([
  ['an event file', [...TEST, '-o', 'out/o.jsonl']],
  ['a report', [...TEST, '-o', 'out/o.html']],
  ['a report in a folder that is still to be made', [...TEST, '-o', 'out/new/o.html']],
  ['the cases of a dry run', [...TEST, '--dry-run', '-o', 'out/cases.yaml']],
  ['saved turns', [...TEST, '--save-turns', 'out/turns.jsonl']],
])('%s in a linked folder', async (_name, args) => {
  const { dir, outside } = project()
  symlinkSync(outside, join(dir, 'out'))
  await refused(dir, outside, args)
})

test('the default event file, beside cases in a linked folder', async () => {
  const { dir, outside } = project()
  writeFileSync(join(outside, 'kept.jsonl'), '{"id":"T1","input":"x"}\n')
  symlinkSync(outside, join(dir, 'cases'))
  await refused(dir, outside, ['test', '-i', 'cases/kept.jsonl', '-n', 'builtin:echo'])
  const named = await viva(['test', '-i', 'cases/kept.jsonl', '-n', 'builtin:echo', '-o', 'o.jsonl'], { cwd: dir })
  expect(named.code).toBe(0)
})

test.each(['.viva', '.viva/history'])('the history, through %s: neither written nor read nor removed', async (link) => {
  const { dir, outside } = project()
  if (link !== '.viva') mkdirSync(join(dir, '.viva'))
  symlinkSync(outside, join(dir, link))
  await refused(dir, outside, [...TEST, '--history'])
  await refused(dir, outside, ['history'])
  await refused(dir, outside, ['history', 'prune', '--limit', '1'])
})

test('the cache of compiled modules', async () => {
  const { dir, outside } = project()
  writeFileSync(join(dir, 'agent.ts'), 'export const answer = (m: { content: string }[]) => m.at(-1)?.content\n')
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(outside, join(dir, 'node_modules/.viva'))
  const { code, stderr } = await viva(['test', '-i', 'hi', '-n', './agent.ts#answer'], { cwd: dir })
  expect(code).not.toBe(0)
  expect(stderr).toContain(`is a link out of the project, to ${realpathSync(outside)}`)
  expect(readdirSync(outside)).toEqual(['kept.jsonl'])
})

test('no false alarm: a link inside the project, a folder named outright, a project that is itself a link', async () => {
  const { dir, outside } = project()
  symlinkSync('inside/real', join(dir, 'out'))
  const inside = await viva([...TEST, '-o', 'out/o.jsonl', '-o', 'out/o.html', '--history'], { cwd: dir })
  expect({ code: inside.code, stderr: inside.stderr }).toMatchObject({ code: 0 })
  const outright = await viva([...TEST, '-o', join(outside, 'o.jsonl')], { cwd: dir })
  expect(outright.code).toBe(0)
  const linked = join(makeFolder(), 'project')
  symlinkSync(dir, linked)
  const through = await viva(
    ['test', '-a', linked, '-i', join(linked, 'cases.jsonl'), '-n', 'builtin:echo', '--history'],
    { cwd: outside },
  )
  expect({ code: through.code, stderr: through.stderr }).toMatchObject({ code: 0 })
})

test('links that an agent makes while it is tested: nothing is written where they lead, and that is exit 3', async () => {
  const outside = makeFolder({ 'kept.txt': 'keep' })
  const agent = `#!/bin/sh
cat >/dev/null
for file in o.html o.xml copy.jsonl; do ln -sfn '${outside}/kept.txt' "$file"; done
mkdir -p .viva; rm -rf .viva/history; ln -sfn '${outside}' .viva/history
printf right`
  const cwd = makeFolder({ 'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'equals', value: 'right' } }] })
  writeFileSync(join(cwd, 'agent.sh'), agent, { mode: 0o755 })
  const outputs = ['o.jsonl', 'o.html', 'o.xml', 'copy.jsonl', 'o.md'].flatMap((name) => ['-o', name])
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'exec:./agent.sh', ...outputs, '--history'], { cwd })
  expect(run.code).toBe(3)
  for (const name of ['o.html', 'o.xml', 'copy.jsonl', 'history'])
    expect(run.stderr).toMatch(new RegExp(`${name}.* was redirected to .* during the run`))
  expect(readdirSync(outside)).toEqual(['kept.txt'])
  expect(readFileSync(join(outside, 'kept.txt'), 'utf8')).toBe('keep')
  // What was not touched is there.
  expect(readFileSync(join(cwd, 'o.md'), 'utf8')).toContain('1')
})
