// The least that the job takes: parse a line, await an answer, compare, write a line.
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , input, output] = process.argv
const fd = openSync(output, 'w')
const answer = async (text) => text
for await (const line of createInterface({ input: createReadStream(input) })) {
  const { id, input: text, assert } = JSON.parse(line)
  const started = performance.now()
  const said = await answer(text)
  const passed = said.includes(assert.value)
  writeSync(
    fd,
    `${JSON.stringify({ type: 'result', id, status: passed ? 'passed' : 'failed', duration_ms: Math.round(performance.now() - started), input: text, output: said })}\n`,
  )
}
closeSync(fd)
