// What an agent appends to the address of its model stays below it.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../support/run-cli.js'
import { startProxy } from './proxy-support.js'

test('dot segments, plain or encoded, are refused before anything is called', async () => {
  const called: string[] = []
  const server = createServer((asked, response) => {
    called.push(asked.url ?? '')
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/models/v1`
  const proxy = await startProxy(makeFolder(), ['--record', 'tape.yaml'], { OPENAI_BASE_URL: upstream })
  const paths = [
    '/../../admin',
    '/chat/../../../admin',
    '/%2e%2e/%2E%2e/admin',
    '/.%2e/admin',
    '/..%2f..%2fadmin',
    '/%252e%252e/admin',
    '/%ff/%2e%2e/%2e%2e/%2e%2e/admin',
    '/..\\..\\admin',
    '/..;x=1/admin',
  ]
  for (const path of paths) expect(await statusOf(proxy.openai, path), path).toBe(400)
  expect(called).toEqual([])
  // Dots elsewhere are names.
  expect(await statusOf(proxy.openai, '/models/gpt-4.1..x?next=../up')).toBe(200)
  expect(called).toEqual(['/models/v1/models/gpt-4.1..x?next=../up'])
  await proxy.stop()
})

/** As written: `fetch` would resolve the dots itself. */
function statusOf(base: string, path: string): Promise<number | undefined> {
  const { hostname, port, pathname } = new URL(base)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: pathname + path }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
      .on('error', reject)
      .end()
  })
}
