// Whole outputs kept as files. UPDATE_GOLDEN=1 rewrites them; the diff in review shows what changed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

export function expectGolden(actual: string, name: string): void {
  const path = fileURLToPath(new URL(`../golden/${name}`, import.meta.url))
  if (process.env['UPDATE_GOLDEN']) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, actual)
  }
  expect(actual).toBe(readFileSync(path, 'utf8'))
}

export async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}
