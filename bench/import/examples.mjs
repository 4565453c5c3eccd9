// Imports and runs, offline, every example of a checkout of promptfoo that has a configuration in YAML or JSON.
//   git clone https://github.com/promptfoo/promptfoo && git -C promptfoo checkout <commit>
//   node bench/import/examples.mjs promptfoo/examples [--list]
// Last seen with promptfoo at 831ec6239a9c594053231523b88b8e398f27cf1b: examples.txt, docs/decisions/import.md.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../bin/viva.js', import.meta.url))
const [root, flag] = process.argv.slice(2)
if (root === undefined) {
  process.stderr.write('usage: node bench/import/examples.mjs CHECKOUT/examples [--list]\n')
  process.exit(2)
}

const work = mkdtempSync(join(tmpdir(), 'viva-import-'))
const outcomes = new Map()
const totals = { deterministic: [0, 0], judged: [0, 0] }
let ran = 0
try {
  for (const [index, file] of configurations(root).entries()) {
    const target = join(work, String(index))
    const imported = viva(['import', file, '-o', target])
    const counts = /assertions: (\d+) of (\d+) carried over(?:, and (\d+) of (\d+))?/.exec(imported.stdout)
    if (imported.status !== 0 || !counts) {
      note(imported.status === 2 ? 'refused' : 'broken', file, imported.stderr.split('\n')[0])
      continue
    }
    totals.deterministic[0] += Number(counts[1])
    totals.deterministic[1] += Number(counts[2])
    totals.judged[0] += Number(counts[3] ?? 0)
    totals.judged[1] += Number(counts[4] ?? 0)
    const run = viva([
      'test',
      '-i',
      join(target, 'tests/cases.jsonl'),
      '-c',
      'echo',
      '-o',
      join(target, 'events.jsonl'),
    ])
    const verdicts = resultsOf(join(target, 'events.jsonl'))
    const decided = verdicts.filter((status) => status !== 'skipped').length
    if (run.status > 1) note('does not run', file, run.stderr.split('\n').slice(0, 3).join(' '))
    else if (decided === 0) note('all skipped', file, '')
    else {
      ran += 1
      note('runs', file, `${decided} of ${verdicts.length} cases`)
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
for (const [outcome, files] of outcomes) process.stdout.write(`${outcome}: ${files.length}\n`)
process.stdout.write(
  `assertions carried over: ${totals.deterministic.join(' of ')}, for a judge ${totals.judged.join(' of ')}\n`,
)
process.exitCode = ran >= 15 && !outcomes.has('broken') && !outcomes.has('does not run') ? 0 : 1

function note(outcome, file, detail) {
  outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), file])
  if (flag === '--list') process.stdout.write(`${outcome}\t${relative(root, file)}\t${detail}\n`)
}

function viva(args) {
  return spawnSync(process.execPath, [BIN, ...args], {
    encoding: 'utf8',
    timeout: 120_000,
    env: { PATH: process.env.PATH, HOME: work },
  })
}

function resultsOf(path) {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"type":"result"'))
      .map((line) => JSON.parse(line).status)
  } catch {
    return []
  }
}

function configurations(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : configurations(path)
      return /^promptfooconfig.*\.(?:ya?ml|json)$/.test(entry.name) ? [path] : []
    })
}
