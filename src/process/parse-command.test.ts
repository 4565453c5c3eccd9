// What a command needs so that it means the same in a workspace as in the project.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../test/support/run-cli.js'
import { parseCommand } from './parse-command.js'
import { Processes } from './processes.js'

test('npx finds what the project has installed, from wherever it runs', () => {
  const project = makeFolder({ 'packages/tool/server.mjs': '' })
  mkdirSync(join(project, 'node_modules'))
  const base = join(project, 'packages/tool')
  const processes = new Processes({ env: process.env, cwd: base, warn: () => {} })
  expect(parseCommand('mcp:npx -y some-server server.mjs', base, undefined, processes)).toMatchObject({
    args: ['-y', 'some-server', 'server.mjs'],
    argsElsewhere: ['--prefix', project, '-y', 'some-server', join(base, 'server.mjs')],
  })
  expect(parseCommand('mcp:node server.mjs', base, undefined, processes).argsElsewhere).toEqual([
    join(base, 'server.mjs'),
  ])
})
