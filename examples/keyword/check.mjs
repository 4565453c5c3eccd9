// JSON answers, every form of input, one case that is left out.
import assert from 'node:assert/strict'
import { mustPass } from '../support/viva.mjs'

const { results, summary } = await mustPass(import.meta.url, ['-i', 'tests/inputs.jsonl'], 6)
assert.equal(summary.skipped, 1)
assert.equal(results.T007.status, 'skipped')
assert.equal(results.T002.status, 'passed')
