// A program that speaks JSON, one that speaks text, and a program's failure with its exit code and last words.
import assert from 'node:assert/strict'
import { mustPass, viva } from '../support/viva.mjs'

const { code, results } = await viva(import.meta.url, ['-i', 'tests/cases.jsonl', '-n', 'exec:node agent.mjs'])
assert.equal(code, 1)
assert.equal(results.adds.status, 'passed')
assert.equal(results['adds-over-turns'].status, 'passed')
const failed = results['fails-without-numbers']
assert.equal(failed.status, 'failed')
assert.equal(failed.exit_code, 3)
assert.match(failed.error, /exit code 3: no numbers to add/)

await mustPass(import.meta.url, ['-i', 'tests/shell.jsonl', '-n', 'shell'], 2)
