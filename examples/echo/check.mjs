// Two cases pass, the one that is wrong on purpose fails, and the exit code says so.
import assert from 'node:assert/strict'
import { viva } from '../support/viva.mjs'

const { code, results, output } = await viva(import.meta.url, ['-i', 'tests/cases.jsonl', '-n', 'builtin:echo'])
assert.equal(code, 1)
assert.equal(results.repeats.status, 'passed')
assert.equal(results['last-of-many'].status, 'passed')
assert.equal(results['wrong-on-purpose'].status, 'failed')
assert.match(output, /goodbye/)
