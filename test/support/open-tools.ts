// The test tools in a project and a temporary folder made for one test.
import { onTestFinished } from 'vitest'
import type { OpenToolsInit } from '../../src/tools/open-tools.js'
import { openTools } from '../../src/tools/open-tools.js'
import { makeFolder, type Files } from './run-cli.js'

export interface TestedTools {
  project: string
  temporary: string
  call(name: string, args: unknown, options?: Parameters<Opened['call']>[2]): Promise<Answer>
  close(): Promise<void>
}

type Opened = Awaited<ReturnType<typeof openTools>>

/** Fields are looked at one by one: a test says what it expects of each. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = Record<string, any>

export async function testTools(init: OpenToolsInit & { files?: Files } = {}): Promise<TestedTools> {
  const { files, ...rest } = init
  const project = init.project ?? makeFolder(files)
  const temporary = init.temporary ?? makeFolder()
  const opened = await openTools({ project, temporary, env: {}, ...rest })
  onTestFinished(() => opened.close())
  return { project, temporary, call: (name, args, options) => opened.call(name, args, options), close: opened.close }
}
