// The tools that the cases of a run provide: each file is read once, each attempt has its own store.
import { once } from '../base/once.js'
import type { CaseTools, OpenTools } from '../model/given-tools.js'
import type { ScriptRuntime } from '../model/script.js'
import type { Clock } from '../time/clock.js'
import { openTools } from './open-tools.js'
import { readTools, toolPath } from './read-tools.js'
import type { ToolFile } from './tool-file.js'

export interface MockToolsInit {
  scripts: ScriptRuntime
  appRoot: string
  allowOutside: boolean
  clock: Clock
  warn(text: string): void
}

export interface MockToolsOfRun {
  /** What a file holds, as it is when it is first read. Throws a UserError if it cannot be used. */
  read(file: string, dir: string): Promise<ToolFile>
  open(given: OpenTools): Promise<CaseTools>
  close(): Promise<void>
}

export function openMockTools(init: MockToolsInit): MockToolsOfRun {
  const files = new Map<string, Promise<ToolFile>>()
  const read = async (file: string, dir: string): Promise<ToolFile> => {
    const place = { file, dir, appRoot: init.appRoot, allowOutside: init.allowOutside }
    const path = toolPath(place)
    const known = files.get(path) ?? readTools(place, init)
    files.set(path, known)
    return known
  }
  let isServing = false
  const server = once(async () => {
    isServing = true
    const { serveMockTools } = await import('./serve-http.js')
    return serveMockTools({ port: 0, warn: init.warn })
  })
  return {
    read,
    async open({ file, dir, served, ...given }) {
      const tools = await openTools(await read(file, dir), init.scripts, given)
      if (!served) return tools
      const { url, close } = (await server()).open(tools)
      return {
        ...tools,
        url,
        close() {
          close()
          tools.close()
        },
      }
    },
    async close() {
      if (isServing) await (await server()).close()
    },
  }
}
