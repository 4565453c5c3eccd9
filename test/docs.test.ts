// The documents are true: their commands run, their JSON parses, their links lead somewhere, the differences are listed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder, ROOT, writeFiles, type Files } from './support/run-cli.js'
import { shell } from './support/shell.js'

interface Block {
  language: string
  text: string
  line: number
  /** Named by a line above that ends with a file's name and a colon. */
  file?: string
}

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  ...markdownBelow('docs'),
  ...markdownBelow('examples'),
]
/** Made from the definitions, and compared with them by `npm run docs -- --check`. */
const isGenerated = (page: string): boolean => page.startsWith('docs/reference/')
/** Examples have a check of their own each. */
const isExample = (page: string): boolean => page.startsWith('examples/')
const RUN = PAGES.filter(
  (page) => !isGenerated(page) && !isExample(page) && blocksOf(page).some(({ language }) => language === 'bash'),
)

/** Lines about this project's own checkout, which is what is being tested. */
const NOT_RUN = /^(npm (ci|test|run|install)\b|npx viva --version$|git )/

describe.each(RUN)('%s', (page) => {
  test('its commands run', async () => {
    const dir = makeFolder()
    cpSync(join(ROOT, 'examples'), join(dir, 'examples'), { recursive: true })
    // `import … from 'viva'` means the checkout.
    mkdirSync(join(dir, 'node_modules'))
    symlinkSync(ROOT, join(dir, 'node_modules', 'viva'))
    writeFiles(dir, firstVersions(page))
    for (const { language, text, line, file } of blocksOf(page)) {
      if (file !== undefined) writeFiles(dir, { [file]: text })
      if (language !== 'bash') continue
      for (const command of commandsOf(text)) await runCommand(command, dir, `${page}:${line}`)
    }
  })
})

/** `… &` is a server that runs until the page ends; `… # exit 1` says how the command ends. */
async function runCommand(command: string, dir: string, place: string): Promise<void> {
  if (command.endsWith('&')) return startServer(command.slice(0, -1), dir)
  const run = await shell(command, { cwd: dir })
  const expected = Number(/# exit (\d+)$/.exec(command)?.[1] ?? 0)
  expect([place, command, run.code], `${run.stdout}\n${run.stderr}`).toEqual([place, command, expected])
}

async function startServer(command: string, cwd: string): Promise<void> {
  const server = spawn('bash', ['-c', `exec ${command}`], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void server.kill())
  await once(server.stdout, 'data')
}

test.each(PAGES)('%s: JSON and YAML parse, links resolve', (page) => {
  for (const { language, text, line } of blocksOf(page)) {
    if (language === 'json' || language === 'jsonl') expect(() => parseJson(text), `${page}:${line}`).not.toThrow()
    if (language === 'yaml' || language === 'yml')
      expect(() => parseYaml(text) as unknown, `${page}:${line}`).not.toThrow()
  }
  const prose = readPage(page)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
  for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue
    const [path = '', anchor] = target.split('#')
    const full = path === '' ? join(ROOT, page) : resolve(join(ROOT, dirname(page)), path)
    expect([page, target, existsSync(full)]).toEqual([page, target, true])
    if (anchor !== undefined && full.endsWith('.md'))
      expect([page, target, anchorsOf(full)]).toEqual([page, target, expect.arrayContaining([anchor])])
  }
})

test('every page of the guide is reached from its first page', () => {
  const first = readPage('docs/guide/README.md')
  for (const page of markdownBelow('docs/guide').filter((name) => !name.endsWith('README.md')))
    expect(first).toContain(`(${relative('docs/guide', page)})`)
})

test('every row that differs from the original on purpose is in docs/compatibility.md', () => {
  const page = readPage('docs/compatibility.md')
  const listed = [...page.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, name]) => name)
  const sources = [...testsBelow('src'), ...testsBelow('test')].map((path) => readFileSync(join(ROOT, path), 'utf8'))
  const names = sources.filter((text) => text.includes('conformance')).flatMap(differencesIn)
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !listed.includes(name))).toEqual([])
})

function markdownBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .toSorted()
}

function testsBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
}

function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  let above = ''
  for (const [index, line] of readPage(page).split('\n').entries()) {
    if (!line.startsWith('```')) {
      if (open) open.text += `${line}\n`
      else if (line !== '') above = line
    } else if (open) {
      blocks.push(open)
      open = undefined
      above = ''
    } else {
      const file = /`([\w./-]+\.\w+)`:$/.exec(above)?.[1]
      open = { language: line.slice(3).trim(), text: '', line: index + 1, ...(file !== undefined && { file }) }
    }
  }
  return blocks
}

/** The files of a page before its first command: a file that changes on the way has its first form. */
function firstVersions(page: string): Files {
  const files: Files = {}
  for (const { file, text } of blocksOf(page)) if (file !== undefined) files[file] ??= text
  return files
}

function commandsOf(text: string): string[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => line.split(' && '))
    .filter((line) => !NOT_RUN.test(line))
}

/** One value, or several one after another as a case file has them. */
function parseJson(text: string): void {
  try {
    JSON.parse(text)
  } catch {
    for (const line of text.split('\n').filter((each) => each.trim() !== '')) JSON.parse(line)
  }
}

function anchorsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function differencesIn(source: string): string[] {
  const lists = source.matchAll(
    /const (?:DIFFERENT|DIFFERENCES|OTHER_TEXT|AT_LOAD)\b[^=]*= (?:new Set\(\[([^\]]*)\]\)|\{([\s\S]*?)\}\n)/g,
  )
  return [...lists].flatMap(([, inSet, inObject]) => {
    if (inSet !== undefined) return [...inSet.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)
    return [...(inObject ?? '').matchAll(/(?:^|\n) {1,2}(?:'([^']+)'|(\w+)):/g)].map(
      ([, quoted, bare]) => quoted ?? bare ?? '',
    )
  })
}
