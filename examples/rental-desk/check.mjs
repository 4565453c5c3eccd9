// Ten tasks: the model that does them passes each, five times over, side by side; models that go wrong fail each, by what
// they left in the database as well as by what they called.
import assert from 'node:assert/strict'
import { mustPass, viva } from '../support/viva.mjs'

const tasks = ['-i', 'assistants/rentals/desk/tests/tasks.yml', '--parallel', '8']
const { results } = await mustPass(import.meta.url, [...tasks, '--runs', '5'], 10)
for (const { state } of Object.values(results)) assert.equal(state.source, 'store')

for (const model of ['lazy', 'wrong', 'eager', 'talk']) {
  const broken = await viva(import.meta.url, [...tasks, '-c', model])
  for (const [id, { status, final_assertions: checks }] of Object.entries(broken.results)) {
    const failed = checks.filter(({ passed }) => !passed).map(({ type }) => type)
    assert.equal(status, 'failed', `${model}: ${id} is ${status}`)
    assert.ok(failed.includes('state_changed'), `${model}: ${id} does not fail by state`)
    assert.ok(failed.some((type) => type.startsWith('tool_')), `${model}: ${id} does not fail by calls`)
  }
  assert.equal(Object.keys(broken.results).length, 10)
}
