// A skill with two real coding agents, as they were recorded: with it and without it, and whether it was used.
import assert from 'node:assert/strict'
import { viva } from '../support/viva.mjs'

for (const agent of ['claude', 'codex']) {
  const args = ['-i', 'cases.jsonl', '-n', 'skill:word-count', '--skills', 'line-count', '--with', `cli:${agent}`]
  const { code, all } = await viva(import.meta.url, [...args, '--replay', `${agent}.yaml`])
  assert.equal(code, 0)
  const of = (id, side) => all.find((result) => result.id === id && result.variant === `${side}_skill`)
  for (const id of ['short', 'long']) {
    assert.equal(of(id, 'with').status, 'passed')
    assert.equal(of(id, 'without').status, 'failed')
    assert.ok(of(id, 'with').skills.offered.includes('word-count'))
    assert.ok(!of(id, 'without').skills.offered.includes('word-count'))
  }
  assert.deepEqual(of('asks-for-it', 'with').skills.invoked, ['word-count'])
  assert.deepEqual(of('asks-for-lines', 'with').skills.invoked, ['line-count'])
  assert.deepEqual(of('asks-something-else', 'with').skills.invoked, [])
}
