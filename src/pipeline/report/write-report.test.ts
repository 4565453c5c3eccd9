// A report file is the old one or the new one, never half of either.
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordingOf, resultEvent, wholeRun } from '../../../test/support/events.js'
import { makeFolder } from '../../../test/support/run-cli.js'
import { reporterByName } from './registry.js'
import { writeChunks, writeReport, writeText } from './write-report.js'

async function* broken(): AsyncGenerator<string> {
  yield 'half of '.repeat(20_000)
  await Promise.resolve()
  throw new Error('the reporter broke')
}

test('writes a report, making the folders it needs', async () => {
  const path = join(makeFolder(), 'new/dir/report.json')
  await writeReport(await reporterByName('json'), recordingOf(wholeRun([resultEvent('T1')])), path)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveProperty('summary.total', 1)
})

test('a reporter that throws leaves the old file and nothing else', async () => {
  const dir = makeFolder({ 'report.txt': 'old' })
  await expect(writeChunks(join(dir, 'report.txt'), broken())).rejects.toThrow('the reporter broke')
  expect(readFileSync(join(dir, 'report.txt'), 'utf8')).toBe('old')
  expect(readdirSync(dir)).toEqual(['report.txt'])
})

test('a reporter that throws leaves no file where there was none', async () => {
  const dir = makeFolder()
  await expect(writeChunks(join(dir, 'report.txt'), broken())).rejects.toThrow('the reporter broke')
  expect(readdirSync(dir)).toEqual([])
})

test('replaces a file with its permissions, and what a link points at', async () => {
  const dir = makeFolder({ 'real.txt': 'old' })
  chmodSync(join(dir, 'real.txt'), 0o640)
  symlinkSync('real.txt', join(dir, 'link.txt'))
  await writeText(join(dir, 'link.txt'), 'new')
  expect(readFileSync(join(dir, 'real.txt'), 'utf8')).toBe('new')
  expect(lstatSync(join(dir, 'link.txt')).isSymbolicLink()).toBe(true)
  expect(statSync(join(dir, 'real.txt')).mode & 0o777).toBe(0o640)
})

test('a folder is refused by name', async () => {
  const dir = makeFolder()
  await expect(writeText(dir, 'x')).rejects.toMatchObject({
    code: 'CANNOT_WRITE',
    message: `cannot write ${dir}: it is a folder`,
  })
})

test.skipIf(!existsSync('/dev/full'))('a full disk is an error that names the file', async () => {
  await expect(writeText('/dev/full', 'x')).rejects.toMatchObject({ code: 'CANNOT_WRITE', exitCode: 3 })
})

test('a device is written to, not replaced', async () => {
  await writeText('/dev/null', 'x')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

test('more than a buffer of text arrives whole and in order', async () => {
  const path = join(makeFolder(), 'big.txt')
  writeFileSync(path, '')
  const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index} ünï\n`)
  await writeChunks(path, lines)
  expect(readFileSync(path, 'utf8')).toBe(lines.join(''))
})
