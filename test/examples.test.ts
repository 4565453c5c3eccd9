// Every example runs offline and checks its own result.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './support/run-cli.js'

const folder = join(ROOT, 'examples')
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'support')
  .map((entry) => entry.name)

test('the list names them all', () => {
  const list = readFileSync(join(folder, 'README.md'), 'utf8')
  expect(examples.filter((name) => !list.includes(`| [${name}](${name}) |`))).toEqual([])
})

test('there is one for every kind of target', () => {
  const kinds = ['a2a', 'acp', 'echo', 'exec', 'expense', 'http', 'module', 'package-tools']
  expect(examples).toEqual(expect.arrayContaining(kinds))
})

test.each(examples)('%s', { timeout: 120_000 }, async (name) => {
  const check = join(folder, name, 'check.mjs')
  expect(existsSync(check), `${name} has no check.mjs`).toBe(true)
  const readme = readFileSync(join(folder, name, 'README.md'), 'utf8')
  expect(readme).toContain(`\`\`\`bash\nnode examples/${name}/check.mjs\n\`\`\``)
  expect(await run(check)).toEqual({ code: 0, output: '' })
})

async function run(check: string): Promise<{ code: number | null; output: string }> {
  // No key of the person who runs the tests may reach an example.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/_API_KEY$|^LANG(CHAIN|SMITH)_/.test(key)),
  )
  const child = spawn(process.execPath, [check], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (output += data))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output: code === 0 ? '' : output }
}
