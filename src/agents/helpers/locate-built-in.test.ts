// The packages that ship with Viva are plain agent packages and can be copied into a project.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseJsonc } from 'jsonc-parser'
import { afterEach, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { BUILTIN_HELPERS } from './built-in-ids.js'
import { builtinHelperDir, ejectHelper } from './locate-built-in.js'

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function project(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-eject-'))
  folders.push(folder)
  return folder
}

test.each(BUILTIN_HELPERS)('%s is a package with a name, a description and a system prompt', async (id) => {
  const dir = builtinHelperDir(id) ?? ''
  const written = parseJsonc(await readFile(join(dir, 'package.yao'), 'utf8')) as Record<string, unknown>
  expect(written).toMatchObject({ name: expect.any(String) as string, description: expect.any(String) as string })
  expect(written).not.toHaveProperty('connector')
  const prompts = parseYaml(await readFile(join(dir, 'prompts.yml'), 'utf8')) as Array<{
    role: string
    content: string
  }>
  expect(prompts[0]?.role).toBe('system')
  expect(prompts[0]?.content).toContain('JSON')
  // What an agent said must never be filled into a helper's instructions.
  expect(prompts.map((prompt) => prompt.content).join('')).not.toMatch(/\{\{|\$(?:CTX|ENV|SYS)\./)
})

test('no other id is built in', () => {
  expect(builtinHelperDir('my.judge')).toBeUndefined()
})

test('ejecting copies the package where the project’s agents are', async () => {
  const app = await project()
  const folder = await ejectHelper('judge', app)
  expect(folder).toBe(join(app, 'assistants', 'viva', 'judge'))
  expect(await readFile(join(folder, 'prompts.yml'), 'utf8')).toContain('examiner')
})

test('an ejected helper is not overwritten unless asked', async () => {
  const app = await project()
  await ejectHelper('viva.user', app)
  await expect(ejectHelper('viva.user', app)).rejects.toMatchObject({ code: 'HELPER_EXISTS' })
  await ejectHelper('viva.user', app, true)
})

test('an unknown helper lists the known ones', async () => {
  await expect(ejectHelper('jugde', await project())).rejects.toMatchObject({
    code: 'UNKNOWN_HELPER',
    hint: 'built-in helpers: viva.judge, viva.user, viva.cases',
  })
})
