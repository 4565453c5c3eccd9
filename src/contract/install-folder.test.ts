// The folder that a server is installed in, however it is started.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installFolder } from './install-folder.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'viva-install-')))
mkdirSync(join(folder, 'dist'))
writeFileSync(join(folder, 'package.json'), '{}')
writeFileSync(join(folder, 'dist/server.mjs'), '')

function check(args: string[], expected: string | undefined) {
  const server = { transport: 'stdio' as const, file: 'mcp:', command: 'node', args, env: {}, cwd: folder }
  expect(installFolder(server)).toBe(expected)
}

test('is that of the package of the program', () => check(['dist/server.mjs'], folder))
test('is not hidden by a system program among the arguments', () =>
  check(['dist/server.mjs', '--browser', '/bin/sh'], folder))
test('is unknown where only a system program is named', () => check(['/bin/sh'], undefined))
