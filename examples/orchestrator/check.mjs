// Five tests of hats and events; and each of them can fail.
import assert from 'node:assert/strict'
import { mustPass, viva } from '../support/viva.mjs'

const AGENT = ['-i', 'tests/cases.jsonl', '-n', 'orchestrator:hats.yml']
await mustPass(import.meta.url, AGENT, 5)

// With other hats nothing is published, so all of them fail.
const { code, summary } = await viva(import.meta.url, ['-i', 'tests/cases.jsonl', '-n', 'orchestrator:'])
assert.equal(code, 1)
assert.equal(summary.passed, 0)
