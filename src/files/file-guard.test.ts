import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FileGuard } from './file-guard.js'

test('reads back what was written in one buffer, however long it is', async () => {
  const path = join(tmpdir(), `viva-guard-${process.pid}.jsonl`)
  const fd = openSync(path, 'w+')
  onTestFinished(() => {
    closeSync(fd)
    rmSync(path)
  })
  const guard = new FileGuard({ fd, path })
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, line) => `line ${line}\n`).join(''))
  writeSync(fd, bytes)
  guard.wrote(bytes)

  const buffers = new Set<ArrayBufferLike>()
  let text = ''
  let chunks = 0
  for await (const chunk of guard.chunks()) {
    buffers.add(chunk.buffer)
    text += chunk.toString()
    chunks += 1
  }
  expect(text).toBe(bytes.toString())
  expect([chunks > 3, buffers.size]).toEqual([true, 1])
})
