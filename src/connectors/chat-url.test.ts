import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chatUrl } from './chat-completions.js'

function check(host: string, url: string) {
  expect(chatUrl(host).href).toBe(url)
}

test('a bare host has its API under /v1', () =>
  check('https://api.example.com', 'https://api.example.com/v1/chat/completions'))
test('a slash at the end changes nothing', () => check('http://host:6920/', 'http://host:6920/v1/chat/completions'))
test('a path is kept', () => check('https://x.example/api/v3', 'https://x.example/api/v3/chat/completions'))
test('a whole address is kept', () =>
  check('https://x.example/v1/chat/completions', 'https://x.example/v1/chat/completions'))
test('a query is kept', () =>
  check('https://x.example/v1?api-version=1', 'https://x.example/v1/chat/completions?api-version=1'))

const shared = new URL('../../../shared/data/conformance/yao/package.jsonl', import.meta.url)
test.skipIf(!existsSync(shared))('hosts as the original reads them', () => {
  const lines = readFileSync(shared, 'utf8').trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line)).filter((entry) => entry.area === 'connector_url')
  expect(entries.length).toBeGreaterThan(0)
  for (const { given, expect: expected } of entries) check(given.host, expected.url)
})
