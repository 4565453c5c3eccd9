import { expect, test } from 'vitest'
import { conformanceRows } from '../../test/support/conformance.js'
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

test('hosts as the original reads them', () => {
  for (const { given, expect: expected } of conformanceRows('package', 'connector_url'))
    check(String(given['host']), String(expected['url']))
})
