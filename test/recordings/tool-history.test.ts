// Cassettes from before agents got chat messages: a history with tools is still recorded, and found, as it was.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, ROOT, viva } from '../support/run-cli.js'

const FIXTURE = join(ROOT, 'test/fixtures/tool-history')

function project(): string {
  const dir = makeFolder()
  cpSync(FIXTURE, dir, { recursive: true })
  return dir
}

test.each(['function', 'program', 'endpoint'])('the cassette of a %s replays', async (name) => {
  const cwd = project()
  rmSync(join(cwd, 'agent.mjs'))
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', name, '--replay', `${name}.yaml`], { cwd })
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('3 replayed')])
})

test.each(['function', 'program'])('a %s is recorded to the byte as before', async (name) => {
  const cwd = project()
  const before = readFileSync(join(cwd, `${name}.yaml`), 'utf8')
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', name, '--record', `new/${name}.yaml`], { cwd })
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('3 recorded')])
  expect(timeless(readFileSync(join(cwd, `new/${name}.yaml`), 'utf8'))).toBe(timeless(before))
})

function timeless(cassette: string): string {
  return cassette.replaceAll(/((?:recorded|clock|duration_ms): ).*/g, '$1…').replace(/^ +matching: exact\n/m, '')
}
