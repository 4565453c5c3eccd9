// The commands of docs/scale/fleet.md, as written there, with the test's own Redis.
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, ROOT } from '../support/run-cli.js'
import { startRedis, withRedis } from '../support/redis.js'

withRedis('docs/scale/fleet.md', () => {
  test('its commands run', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const dir = makeFolder()
    cpSync(join(ROOT, 'examples/module'), dir, { recursive: true })
    mkdirSync(join(dir, 'bin'))
    symlinkSync(join(ROOT, 'bin/viva.js'), join(dir, 'bin/viva'))
    const page = readFileSync(join(ROOT, 'docs/scale/fleet.md'), 'utf8')
    const blocks = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text = '']) => text)
    expect(blocks).toHaveLength(1)
    const script = `set -e\nPATH="$PWD/bin:$PATH"\n${blocks.join('\n').replaceAll('redis://localhost:6379', redis.url)}\nkill $(jobs -p)\nwait`
    const shell = spawn('bash', ['-c', script], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    shell.stdout.on('data', (data) => (output += data))
    shell.stderr.on('data', (data) => (output += data))
    const code = await new Promise((resolve) => shell.on('close', resolve))
    expect(code, output).toBe(0)
    expect(output).toContain('2 passed')
    expect(output).toMatch(/2 workers, \d of 8 slots busy/)
  }, 120_000)
})
