// The guide's pages for SDKs, followed word for word: a conversation that fails, then passes.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BIN, ROOT } from '../support/run-cli.js'
// @ts-expect-error -- plain JavaScript, shared with the installer
import { node24 } from './install.mjs'
import { environment, openFolder, openModel } from './sdk-bed.js'

test.each([
  ['ai-sdk', 'ai-6'],
  ['ai-sdk', 'ai-7'],
  ['openai-agents', 'openai-agents'],
  ['langgraph', 'langgraph'],
  ['mastra', 'mastra-1'],
  ['claude-agent-sdk', 'claude-agent-sdk'],
  ['adk', 'adk'],
])('%s, with %s', async (page, name) => {
  const model = await openModel()
  const cwd = openFolder(name)
  const env = environment(cwd, model)
  let ran = 0
  for (const { file, language, text } of blocksOf(readFileSync(join(ROOT, 'docs/start', `${page}.md`), 'utf8'))) {
    if (file !== undefined) writeFileSync(join(cwd, file), text)
    for (const line of language === 'sh' ? text.split('\n') : []) {
      const [, args, code = '0'] = /^npx viva (.+?)(?: +# exit (\d))?$/.exec(line) ?? []
      if (args === undefined) continue
      const { exitCode, output } = await runCommand(args.split(' '), cwd, env)
      expect([line, exitCode], output).toEqual([line, Number(code)])
      if (code === '1') expect(output).toContain('no tools were called')
      ran++
    }
  }
  expect(ran).toBe(2)
  expect(model.refusals).toEqual([])
})

interface Block {
  language: string
  text: string
  file: string | undefined
}

/** A file is named at the end of the line above its block. */
function blocksOf(page: string): Block[] {
  const found = page.matchAll(/(?:`([\w./-]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)
  return [...found].map(([, file, language = '', text = '']) => ({ file, language, text }))
}

async function runCommand(args: string[], cwd: string, env: Record<string, string>) {
  const child = spawn(node24() as string, [BIN, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { exitCode, output }
}
