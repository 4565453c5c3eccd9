// Coverage for people and for tools: a table, and lcov.info.
import { writeFileSync } from 'node:fs'
import { cannotWrite } from '../../files/cannot-write.js'
import { makeFolders } from '../../files/make-folders.js'
import type { CoverageCollector, FileCoverage } from './coverage.js'
import { coverageFiles } from './coverage-files.js'
import { formatPercent } from '../../base/format.js'

export interface CoverageReport {
  /** Table for the console. */
  text: string
  /** Paths of the files written. */
  files: string[]
  /** Percent of lines, undefined if there was nothing to cover. */
  lines: number | undefined
}

export function writeCoverage(collector: CoverageCollector, folder: string): CoverageReport {
  const files = collector.files()
  const text = coverageTable(files)
  const written = coverageFiles(folder)
  try {
    makeFolders(folder)
    writeFileSync(written[0], files.map(toLcov).join(''))
    writeFileSync(written[1], `${text}\n`)
  } catch (error) {
    throw cannotWrite(folder, error, 'make room or choose another folder with --coverage', 3)
  }
  const { hit, found } = total(files.map((file) => [...file.lines.values()]))
  return { text, files: written, lines: found === 0 ? undefined : (100 * hit) / found }
}

function coverageTable(files: FileCoverage[]): string {
  const rows = files.map((file) => [
    file.file,
    percent([...file.lines.values()]),
    percent(functionHits(file)),
    uncovered(file),
  ])
  const all = [
    'All files',
    percent(files.flatMap((file) => [...file.lines.values()])),
    percent(files.flatMap(functionHits)),
    '',
  ]
  const table = [['File', 'Lines', 'Functions', 'Not covered'], all, ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table
    .map(([name = '', lines = '', functions = '', missing = '']) =>
      `${name.padEnd(widths[0] ?? 0)}  ${lines.padStart(widths[1] ?? 0)}  ${functions.padStart(widths[2] ?? 0)}  ${missing}`.trimEnd(),
    )
    .join('\n')
}

function toLcov({ file, lines, functions }: FileCoverage): string {
  const sorted = [...lines].toSorted(([a], [b]) => a - b)
  const named = [...functions.values()].toSorted((a, b) => a.line - b.line)
  return [
    'TN:',
    `SF:${file}`,
    ...named.map(({ name, line }) => `FN:${line},${name}`),
    ...named.map(({ name, hits }) => `FNDA:${hits},${name}`),
    `FNF:${named.length}`,
    `FNH:${named.filter(({ hits }) => hits > 0).length}`,
    ...sorted.map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${sorted.length}`,
    `LH:${sorted.filter(([, hits]) => hits > 0).length}`,
    'end_of_record\n',
  ].join('\n')
}

function functionHits(file: FileCoverage): number[] {
  return [...file.functions.values()].map(({ hits }) => hits)
}

function percent(hits: number[]): string {
  const { hit, found } = total([hits])
  return found === 0 ? '–' : formatPercent((100 * hit) / found)
}

function total(lists: number[][]): { hit: number; found: number } {
  const hits = lists.flat()
  return { hit: hits.filter((count) => count > 0).length, found: hits.length }
}

/** `3-5,9` */
function uncovered({ lines }: FileCoverage): string {
  const missing = [...lines]
    .filter(([, hits]) => hits === 0)
    .map(([line]) => line)
    .toSorted((a, b) => a - b)
  const ranges: [number, number][] = []
  for (const line of missing) {
    const last = ranges.at(-1)
    if (last && line <= last[1] + 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',')
}
