import { expect, test } from 'vitest'
import type { RunEvent } from '../../../model/event.js'
import { createHtmlReporter } from './html.js'

const assets = { script: 'APP()', style: 'STYLE{}', scriptHash: "'sha256-abc'", styleHash: "'sha256-def'" }
const screen = { columns: 80, color: false, verbose: false }

async function* stream(events: Iterable<RunEvent>): AsyncGenerator<RunEvent> {
  yield* events
}

async function chunks(events: () => Iterable<RunEvent>): Promise<string[]> {
  const parts: string[] = []
  const write = createHtmlReporter(() => Promise.resolve(assets))
  for await (const part of write({ events: () => stream(events()) }, screen)) parts.push(part)
  return parts
}

function* results(count: number, output: string): Generator<RunEvent> {
  for (let index = 0; index < count; index += 1)
    yield { type: 'result', run_id: 'r', id: `T${index}`, run: 1, status: 'passed', duration_ms: 1, output }
}

test('one page: policy, style, rows, application, and the details behind it', async () => {
  const page = (await chunks(() => results(3, 'hi'))).join('')
  expect(page).toContain("default-src 'none'; script-src 'sha256-abc'; style-src 'sha256-def'; img-src data:")
  expect(page).not.toMatch(/connect-src|https?:\/\/(?!www\.w3\.org)/)
  const blocks = [...page.matchAll(/<script(?: type="application\/json" data-(\w+="\w+"))?>([^<]*)<\/script>/g)]
  expect(blocks.map((block) => block[1] ?? block[2])).toEqual(['kind="rows"', 'APP()', 'details="0"'])
  expect(JSON.parse(blocks[0]?.[2] ?? '')).toHaveLength(3)
  expect(JSON.parse(blocks[2]?.[2] ?? '')).toHaveLength(3)
  expect(page.endsWith('</body>\n</html>\n')).toBe(true)
})

test('a title from data is inert', async () => {
  const start = { type: 'start', agent_id: '</title><script>x</script>' } as RunEvent
  expect((await chunks(() => [start])).join('')).toContain('<title>&#60;/title&#62;&#60;script&#62;x')
})

test('a run of any size is written in pieces of bounded size', async () => {
  const parts = await chunks(() => results(20_000, 'x'.repeat(2000)))
  expect(parts.length).toBeGreaterThan(40)
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(2_000_000)
})

test('an empty recording is still a page', async () => {
  expect((await chunks(() => [])).join('')).toContain('<title>Viva report</title>')
})
