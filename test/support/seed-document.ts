// The examples of a source document: from beside the checkout where it is there, else the project's own copy of them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { splitCommand } from '../../src/process/split-command.js'

export interface SeedBlock {
  /** The nearest heading above, without its marks. */
  heading: string
  language: string
  text: string
}

export interface SeedDocument {
  blocks: SeedBlock[]
  /** Rows of the tables below each heading, without the head. */
  tables: Record<string, string[][]>
}

const SHARED = fileURLToPath(new URL('../../../shared/seeds', import.meta.url))
const OWN = fileURLToPath(new URL('../fixtures/seeds', import.meta.url))

export function readSeed(number: string): SeedDocument {
  const shared = existsSync(SHARED) ? readdirSync(SHARED).find((name) => name.startsWith(`${number}_`)) : undefined
  return shared === undefined ? readOwnCopy(number) : parseDocument(readFileSync(`${SHARED}/${shared}`, 'utf8'))
}

export function readOwnCopy(number: string): SeedDocument {
  return parseDocument(readFileSync(`${OWN}/${number}.md`, 'utf8'))
}

/** The one block below a heading, or the one of several that is in this language. */
export function blockOf(document: SeedDocument, heading: string, language?: string): string {
  const found = document.blocks.filter(
    (block) => block.heading.startsWith(heading) && (language === undefined || block.language === language),
  )
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} blocks below "${heading}"`)
  return found[0].text
}

/** The command lines of the shell examples, as the words after `yao`. */
export function commandsOf(document: SeedDocument): string[][] {
  return document.blocks
    .filter((block) => block.language === 'bash')
    .flatMap((block) => block.text.replaceAll(/\\\n\s*/g, '').split('\n'))
    .filter((line) => line.startsWith('yao '))
    .map((line) => splitCommand(line).slice(1))
}

function parseDocument(text: string): SeedDocument {
  const document: SeedDocument = { blocks: [], tables: {} }
  let heading = ''
  let open: SeedBlock | undefined
  for (const line of text.split('\n')) {
    if (open) {
      if (line.trimStart().startsWith('```')) {
        document.blocks.push(open)
        open = undefined
      } else open.text += `${line}\n`
    } else if (line.trimStart().startsWith('```')) open = { heading, language: line.trim().slice(3).trim(), text: '' }
    else if (line.startsWith('#')) heading = line.replace(/^#+ /, '')
    else if (/^\|(?! -)/.test(line)) (document.tables[heading] ??= []).push(cellsOf(line))
  }
  for (const rows of Object.values(document.tables)) rows.shift()
  return document
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}
