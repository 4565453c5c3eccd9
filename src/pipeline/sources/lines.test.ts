import { open } from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/case-files.js'
import { readText, readWholeText, UnreadableText, type ReadTextOptions } from './lines.js'

async function blocksOf(bytes: Uint8Array, by: ReadTextOptions['by']): Promise<string[]> {
  const path = join(tempDir(), 'x')
  writeFileSync(path, bytes)
  const handle = await open(path)
  try {
    const blocks: string[] = []
    for await (const { text, bad } of readText(handle, { by }))
      blocks.push(bad ? `BAD ${[...bad.keys()].join()}` : text)
    return blocks
  } finally {
    await handle.close()
  }
}

test('blocks are the text, cut only where asked for', async () => {
  const filler = fc.constantFrom('x'.repeat(30_000), 'é'.repeat(20_000), '👍'.repeat(17_000), '\n', 'a\r\n', '')
  await fc.assert(
    fc.asyncProperty(
      fc.array(filler, { maxLength: 8 }),
      fc.constantFrom<ReadTextOptions['by']>('lines', 'characters'),
      async (pieces, by) => {
        const text = pieces.join('')
        const blocks = await blocksOf(Buffer.from(text), by)
        expect(blocks.join('') === text).toBe(true)
        if (by === 'lines') expect(blocks.slice(0, -1).every((block) => block.endsWith('\n'))).toBe(true)
      },
    ),
    { numRuns: 40 },
  )
})

test('a mark at the start is left out, one elsewhere is text', async () => {
  expect(await blocksOf(Buffer.from('\uFEFFa\n\uFEFFb'), 'lines')).toEqual(['a\n', '\uFEFFb'])
})

test('a real U+FFFD is text', async () => {
  expect(await blocksOf(Buffer.from('\uFFFD'), 'lines')).toEqual(['\uFFFD'])
})

test.each([
  ['utf16le', Buffer.from('\uFEFF{}', 'utf16le')],
  ['utf16le without a mark', Buffer.from('{}', 'utf16le')],
  ['utf16be', Buffer.from('\uFEFF{}', 'utf16le').swap16()],
])('%s is refused', async (_name, bytes) => {
  await expect(blocksOf(bytes, 'lines')).rejects.toThrow(UnreadableText)
})

test('an endless line stops at the limit', async () => {
  await expect(blocksOf(Buffer.alloc(17 * 1024 * 1024), 'lines')).rejects.toThrow('line longer than the limit of 16 MB')
})

test('a whole file has a limit too', async () => {
  const path = join(tempDir(), 'x')
  writeFileSync(path, 'x'.repeat(2 * 1024 * 1024))
  const handle = await open(path)
  await expect(readWholeText(handle, 1024 * 1024)).rejects.toThrow('the file is longer than 1 MB')
  await handle.close()
})
