// The first command of the README, as a person sees it on a terminal of 80 columns and 24 lines.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, ROOT } from '../support/run-cli.js'
import { onTerminal } from '../support/terminal.js'

test('it prints no warning and fits a screen, with the prompt below it', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, args = ''] = /```bash\nnpm ci && npx --no-install viva (.+)\n```/.exec(readme) ?? []
  const cwd = makeFolder()
  cpSync(join(ROOT, 'examples/expense'), join(cwd, 'examples/expense'), { recursive: true })
  const terminal = onTerminal(args.split(' '), { cwd, columns: 80 })
  expect(await terminal.code, terminal.text()).toBe(0)
  expect(terminal.text()).not.toMatch(/warning|vacuous|⚠/i)
  const rows = terminal.screen().trimEnd().split('\n')
  expect(rows.filter((row) => row.startsWith('✓'))).toHaveLength(7)
  expect(rows.length, terminal.screen()).toBeLessThan(24)
})
