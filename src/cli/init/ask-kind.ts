// Asks a person what to test.
import { createInterface } from 'node:readline/promises'
import { INIT_KINDS, type InitKind } from './kinds.js'
import { stdout } from '../terminal.js'

export async function askKind(): Promise<InitKind> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    stdout.write('What do you want to test?\n')
    for (const [index, { kind, about }] of INIT_KINDS.entries())
      stdout.write(`  ${index + 1}  ${kind.padEnd(13)} ${about}\n`)
    for (;;) {
      const given = (await terminal.question('Number or name [1]: ')).trim().toLowerCase()
      const found = INIT_KINDS.find(({ kind }, index) => given === kind || given === String(index + 1))
      if (found ?? given === '') return found ?? (INIT_KINDS[0] as InitKind)
      stdout.write(`There is no "${given}".\n`)
    }
  } finally {
    terminal.close()
  }
}
