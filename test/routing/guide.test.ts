// The figures that docs/start/mcp-server.md shows are those that its files give.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, ROOT, viva } from '../support/run-cli.js'

const PAGE = readFileSync(join(ROOT, 'docs/start/mcp-server.md'), 'utf8')

/** A file as the page shows it: its name, then the block. */
function fileOf(name: string): string {
  const block = PAGE.split(`\`${name}\`:\n\n`)[1]
  const text = block && /^```\w+\n([^]*?)```/.exec(block)?.[1]
  if (text === undefined) throw new Error(`the page shows no ${name}`)
  return text
}

test('the report of the right tool, and a better description', async () => {
  const names = ['routing.jsonl', 'connectors/scripted.conn.json', 'scripts/model.ts', 'clear.json']
  const dir = makeFolder({
    ...Object.fromEntries(names.map((name) => [name, fileOf(name)])),
    'server.mjs': readFileSync(join(ROOT, 'templates/init/mcp/server.mjs'), 'utf8'),
  })
  const [shown = ''] = /^ {2}Right tool in [^]*?(?=\n```)/m.exec(PAGE) ?? []
  const args = ['test', '-i', 'routing.jsonl', '-n', 'mcp:node server.mjs', '-c', 'scripted']
  expect(shown).not.toBe('')
  expect((await viva(args, { cwd: dir })).stdout).toContain(shown)
  const compared = await viva([...args, '--descriptions', 'clear.json', '--gate', 'none'], { cwd: dir })
  expect(compared.stdout).toContain('clear: Right tool in 3 of 3 runs')
})
