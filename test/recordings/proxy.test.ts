// `viva proxy`: model calls of real SDKs and of plain sockets, recorded on their way and played back.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { makeFolder, viva, type CliRun } from '../support/run-cli.js'
import { tape } from './support.js'
import { KEYS, startUpstream } from './upstream.js'

const SDK = fileURLToPath(new URL('./clients/sdk.mjs', import.meta.url))
const PLAIN = fileURLToPath(new URL('./clients/plain.py', import.meta.url))
const NODE = process.execPath
const hasPython = spawnSync('python3', ['--version']).status === 0
const CLIENTS: Array<[string, string[]]> = [
  ...['openai', 'responses', 'anthropic', 'ai', 'ai-anthropic'].map((kind): [string, string[]] => [
    kind,
    [NODE, SDK, kind, 'The weather in Rome?'],
  ]),
  ['plain sockets', ['python3', PLAIN, 'The weather in Rome?']],
]

function proxied(dir: string, args: string[], command: string[], env: Record<string, string> = {}): Promise<CliRun> {
  return viva(['proxy', ...args, '--', ...command], { cwd: dir, env })
}

describe.each(CLIENTS)('%s', (name, command) => {
  test.skipIf(name === 'plain sockets' && !hasPython)(
    'records a streamed conversation with a tool, and replays the same bytes without a model',
    async () => {
      const upstream = await startUpstream()
      const dir = makeFolder()
      const direct = await viva(['proxy', '--record', 'direct.yaml', '--', ...command], { cwd: dir, env: upstream.env })
      expect(direct.stderr).toContain(name === 'responses' ? '1 call recorded' : '2 calls recorded')
      expect(direct.code).toBe(0)
      const calls = upstream.requests.length
      // Plain sockets look at the chunks.
      if (name !== 'plain sockets') for (const hash of upstream.sent) expect(direct.stdout).toContain(hash)
      expect(upstream.sent).toHaveLength(calls)
      await upstream.close()

      const replayed = await proxied(dir, ['--replay', 'direct.yaml'], command)
      expect(replayed.stderr).toContain(`${calls} replayed`)
      expect(replayed.code).toBe(0)
      expect(replayed.stdout).toBe(direct.stdout)
      expect(replayed.stdout).toContain('Rome')
      expect(upstream.requests).toHaveLength(calls)
      for (const key of [...Object.values(KEYS), 'secret-cookie']) expect(tape(dir, 'direct.yaml')).not.toContain(key)
    },
    60_000,
  )
})
