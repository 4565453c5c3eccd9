// Runs built failures through the command line, one run per target, and asks who is blamed for each.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { recordingOf } from '../../src/pipeline/record/read-events.js'
import { explainRun } from '../../src/pipeline/report/explain/explain-run.js'
import type { Blame } from '../../src/pipeline/report/blame/party.js'
import { makeFolder, viva, type Files } from '../support/run-cli.js'
import type { BuiltFailure } from './built-failures.js'

export interface Blamed {
  failure: BuiltFailure
  blame: Blame | undefined
  headline: string
}

export async function blamed(failures: readonly BuiltFailure[], files: Files): Promise<Blamed[]> {
  const keyOf = ({ target = 'module', runs = 1 }: BuiltFailure): string => `${runs} ${target}`
  const found: Blamed[] = []
  for (const key of new Set(failures.map(keyOf))) {
    const group = failures.filter((failure) => keyOf(failure) === key)
    const [runs = '1', ...words] = key.split(' ')
    const target = words.join(' ')
    const cwd = makeFolder({
      ...files,
      'cases.jsonl': group.map(({ id, given }) => ({ id, ...given })),
      'lines.json': Object.fromEntries(group.map(({ id, lines = [] }) => [id, lines])),
    })
    const agent = target === 'module' ? './agent.mjs' : target.endsWith('server') ? await serveFaults() : target
    const args = ['test', '-i', 'cases.jsonl', '-n', agent, '-o', 'o.jsonl', '--runs', runs, '--retries', '0']
    const run = await viva(args, { cwd })
    const { cases } = await explainRun(recordingOf(join(cwd, 'o.jsonl')), { limit: 1000 }).catch((error: unknown) => {
      throw new Error(`${target}: ${run.stderr}\n${run.stdout}`, { cause: error })
    })
    for (const failure of group) {
      const explained = cases.find(({ event }) => event.id === failure.id)?.explanation
      found.push({ failure, blame: explained?.blame, headline: explained?.headline ?? 'it passed' })
    }
  }
  return found
}

/** Fails in the way that the message names. */
async function serveFaults(): Promise<string> {
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => (body += String(data)))
    request.on('end', () => {
      const fault = /"(hang|reset|half|\d{3})"/.exec(body)?.[1] ?? '500'
      if (fault === 'hang') return
      if (fault === 'reset') return void request.socket.destroy()
      if (fault === 'half') {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
        return void response.write('{"content": "Your order', () => request.socket.destroy())
      }
      response
        .writeHead(Number(fault), { 'content-type': 'text/html', 'x-should-retry': 'false' })
        .end(`<html><body><h1>${fault}</h1></body></html>`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
