// The verdicts of others, where their records are at hand.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { ROOT } from './support/run-cli.js'

const DATA = join(ROOT, '../shared/data/public')

interface Found {
  count: number
  agree: number
  greener: unknown[]
  stricter: unknown[]
  free?: string[]
}

beforeAll(() => {
  process.env['VIVA_BIN'] = join(ROOT, 'bin/viva.js')
})

async function load(file: string, name: string): Promise<(folder: string, every?: number) => Promise<Found>> {
  const module = (await import(pathToFileURL(join(ROOT, `bench/public/${file}.mjs`)).href)) as Record<string, never>
  return module[name] as never
}

test.skipIf(!existsSync(DATA))('tau-bench: the verdicts of its own check of the database', async () => {
  const tauBench = await load('tau-bench', 'tauBench')
  const { count, agree, greener, free } = await tauBench(DATA)
  expect(greener).toEqual([])
  expect(agree).toBe(count)
  // Tasks that ask for nothing.
  expect(free).toHaveLength(8)
})

test.skipIf(!existsSync(DATA))('BFCL: the verdicts of its rules, on every eighth question', async () => {
  const bfcl = await load('bfcl', 'bfcl')
  const { count, agree, greener, stricter } = await bfcl(DATA, 8)
  expect({ greener, stricter }).toEqual({ greener: [], stricter: [] })
  expect(agree).toBe(count)
})
