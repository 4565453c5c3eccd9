// `viva cassette redact | prune`, and files that are not recordings.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { viva, type CliRun } from '../support/run-cli.js'
import { app, run, startChat, tape } from './support.js'

const SAID = { type: 'contains', value: 'said' }

test('redact hides what is secret today, in comments too, and the recording still replays', async () => {
  const chat = await startChat()
  const dir = app(chat.url, [
    { id: 'T1', turns: [{ input: 'my code is opensesame-77' }, { input: 'and then' }], assert: SAID },
    { id: 'T2', input: 'order ord_abc123 please', assert: SAID },
    { id: 'T3', input: 'nothing', assert: SAID },
  ])
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  expect(tape(dir)).toContain('opensesame-77')
  writeFileSync(join(dir, 'tape.yaml'), tape(dir).replace('  - request:', '  # opensesame-77 is mine\n  - request:'))
  const third = (text: string): string => text.slice(text.indexOf('case: T3'), text.indexOf('\nmetadata:'))
  const before = third(tape(dir))
  writeFileSync(
    join(dir, 'viva.config.json'),
    JSON.stringify({ helpers: { connector: 'main' }, redactions: { patterns: { order: 'ord_[a-z0-9]+' } } }),
  )
  const env = { DOOR_PASSWORD: 'opensesame-77' }
  const done = await viva(['cassette', 'redact', 'tape.yaml'], { cwd: dir, env })
  expect([done.code, done.stdout]).toEqual([0, '3 interactions redacted in 1 file\n'])
  expect(tape(dir)).not.toMatch(/opensesame|user: order ord_abc123/)
  expect(tape(dir)).toMatch(/# \[[A-Z_]+\] is mine/)
  expect(third(tape(dir))).toBe(before)
  expect(await viva(['cassette', 'redact', 'tape.yaml'], { cwd: dir, env })).toMatchObject({
    code: 0,
    stdout: '0 interactions redacted in 0 files\n',
  })
  await chat.close()
  const args = ['test', '-i', 'cases.jsonl', '-n', 'desk', '--replay', 'tape.yaml', '-o', 'x.jsonl']
  const replay = await viva(args, { cwd: dir, env })
  expect([replay.code, replay.stdout]).toEqual([0, expect.stringContaining('Recording: 4 replayed')])
})

test('prune drops what no case asks for, keeps what is not served, and names it', async () => {
  const chat = await startChat()
  const asked = (cases: Array<[string, string[]]>): string =>
    cases
      .map(([id, turns]) => `${JSON.stringify({ id, turns: turns.map((input) => ({ input })), assert: SAID })}\n`)
      .join('')
  for (const place of ['tape.yaml', 'tapes']) {
    const dir = app(chat.url, [])
    const put = (cases: Array<[string, string[]]>): void => writeFileSync(join(dir, 'cases.jsonl'), asked(cases))
    put([
      ['T1', ['a', 'b']],
      ['T2', ['c']],
      ['T3', ['d']],
      ['T4', ['e']],
    ])
    await run(dir, ['--record', place], { live: true })
    put([
      ['T1', ['a']],
      ['T2', ['c']],
      ['T4', ['changed']],
    ])
    const unused = await run(dir, ['--replay', place])
    expect(unused.summary['recording']).toMatchObject({ unused: 3 })
    const prune = (...more: string[]): Promise<CliRun> => viva(['cassette', 'prune', place, ...more], { cwd: dir })
    expect((await prune()).stderr).toContain('prune needs the cases')
    const done = await prune('-i', 'cases.jsonl', '-n', 'desk')
    expect([done.code, done.stdout]).toEqual([
      0,
      expect.stringMatching(
        /kept, since they are no longer served: T4\n[\s\S]*T1 {2}agent:desk\n[\s\S]*T3 {2}agent:desk\n2 interactions dropped, 3 left\n/,
      ),
    ])
    const list = await viva(['cassette', 'list', place], { cwd: dir })
    expect(list.stdout.match(/^T\d/gm)).toEqual(['T1', 'T2', 'T4'])
    const again = await run(dir, ['--replay', place, '--run', 'T[12]'])
    expect([again.code, again.summary['recording']]).toEqual([0, expect.objectContaining({ replayed: 2, unused: 0 })])
  }
})

test('files that are not recordings are refused with their place', async () => {
  const dir = app('http://127.0.0.1:9', [{ id: 'T1', input: 'hi', assert: SAID }])
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefgh', (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]\n`).join('')}`
  const big = `interactions:\n${`  # ${'x'.repeat(1020)}\n`.repeat(1024 * 200)}`
  const files: Array<[string, string, RegExp]> = [
    ['bomb', bomb, /bomb\.yaml:2:.*alias/],
    ['big', big, /big\.yaml:1: 200 MB: a cassette is 64 MB at most/],
    [
      'version',
      'interactions: []\nmetadata:\n  format: 3\n  interactions: 0\n',
      /version\.yaml:3: metadata\.format: expected 1 or 2, found 3/,
    ],
    [
      'field',
      'interactions:\n  - request:\n      hat: agent:desk\n    response: {output: x}\nmetadata:\n  format: 1\n  interactions: 1\n',
      /field\.yaml:3: interactions\[0\]\.request\.prompt_hash: is missing/,
    ],
    ['conflict', 'interactions:\n<<<<<<< mine\n=======\n>>>>>>> theirs\n', /conflict\.yaml:2: a conflict marker/],
    ['binary', '\u0000\u0001\u0002', /binary\.yaml:1/],
  ]
  for (const [name, text, expected] of files) {
    writeFileSync(join(dir, `${name}.yaml`), text)
    for (const args of [
      ['--replay', `${name}.yaml`],
      ['--record', `${name}.yaml`],
    ]) {
      const { code, stderr } = await run(dir, args, { live: true })
      expect([name, code, stderr]).toEqual([name, 2, expect.stringMatching(expected)])
      expect(readFileSync(join(dir, `${name}.yaml`), 'utf8') === text).toBe(true)
    }
  }
})
