// Which lines and functions of users' scripts ran: V8's counts, mapped back through the source maps.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isRecord } from '../../base/record.js'
import { pathProblem } from '../../base/relative-path.js'
import { isInside } from '../../files/inside.js'
import { shownPath } from '../compile/paths.js'
import { FACTORY_START, type FunctionCoverage } from '../protocol.js'
import { readSegments, type Segment } from './source-map.js'

export interface FileCoverage {
  /** Relative to the application root. */
  file: string
  /** Line → how often it ran, for every line with code on it. */
  lines: Map<number, number>
  functions: Map<string, { name: string; line: number; hits: number }>
}

/** What ran elsewhere, as data: per file, its lines and functions with their counts. */
export type CoverageShare = Array<{
  file: string
  lines: Array<[line: number, hits: number]>
  functions: Array<[name: string, line: number, hits: number]>
}>

interface Compiled {
  /** Sorted by offset, in files that count. */
  segments: (Segment & { file: string })[]
}

export class CoverageCollector {
  /** Scripts have run, whether or not anything of them was counted. */
  isUsed = false
  readonly #root: string
  readonly #compiled = new Map<string, Compiled>()
  readonly #files = new Map<string, FileCoverage>()
  readonly #code = new Map<string, Set<number>>()

  constructor(root: string) {
    this.#root = root
  }

  /** Counts for one stretch of work in one process; they add up. */
  add(path: string, code: string, functions: FunctionCoverage[]): void {
    const { segments } = this.#mapped(path, code)
    const counts = countsAt(
      segments.map((segment) => segment.offset),
      functions,
    )
    this.#addLines(segments, counts)
    for (const entry of functions) this.#addFunction(entry, segments)
  }

  files(): FileCoverage[] {
    return [...this.#files.values()].toSorted((a, b) => (a.file < b.file ? -1 : 1))
  }

  /** What has been counted since the last call. */
  take(): CoverageShare | undefined {
    const share = this.files().map(({ file, lines, functions }) => ({
      file,
      lines: [...lines],
      functions: Array.from(functions.values(), ({ name, line, hits }): [string, number, number] => [name, line, hits]),
    }))
    this.#files.clear()
    return share.length === 0 ? undefined : share
  }

  /** Adds what was counted elsewhere. False: it does not have the expected shape. */
  merge(share: unknown): boolean {
    if (!isShare(share)) return false
    this.isUsed = true
    for (const { file, lines, functions } of share) {
      const own = this.#file(resolve(this.#root, file))
      for (const [line, hits] of lines) own.lines.set(line, (own.lines.get(line) ?? 0) + hits)
      for (const [name, line, hits] of functions) countFunction(own, { name, line, hits })
    }
    return true
  }

  /** A line ran as often as its most executed part. */
  #addLines(segments: Compiled['segments'], counts: number[]): void {
    const hits = new Map<FileCoverage, Map<number, number>>()
    for (const [index, { file, line }] of segments.entries()) {
      const coverage = this.#file(file)
      let lines = hits.get(coverage)
      if (!lines) hits.set(coverage, (lines = new Map()))
      lines.set(line, Math.max(lines.get(line) ?? 0, counts[index] ?? 0))
    }
    for (const [coverage, lines] of hits) {
      for (const [line, count] of lines) coverage.lines.set(line, (coverage.lines.get(line) ?? 0) + count)
    }
  }

  #addFunction({ functionName, ranges }: FunctionCoverage, segments: Compiled['segments']): void {
    const [whole] = ranges
    // The whole file is a function too; the bundler's helpers have no place in any file.
    if (!whole || whole.startOffset < FACTORY_START.length) return
    const start = segments.find(({ offset }) => offset >= whole.startOffset && offset < whole.endOffset)
    if (!start) return
    const name = functionName === '' ? `(anonymous:${start.line})` : functionName
    countFunction(this.#file(start.file), { name, line: start.line, hits: whole.count })
  }

  #file(path: string): FileCoverage {
    let coverage = this.#files.get(path)
    if (!coverage) {
      coverage = { file: shownPath(this.#root, path), lines: new Map(), functions: new Map() }
      this.#files.set(path, coverage)
    }
    return coverage
  }

  #mapped(path: string, code: string): Compiled {
    const known = this.#compiled.get(code)
    if (known) return known
    const segments = readSegments(code)
      .map((segment) => ({ ...segment, file: resolve(dirname(path), segment.source) }))
      .filter(({ file, line }) => this.#codeLines(file).has(line))
      .toSorted((a, b) => a.offset - b.offset)
    const compiled = { segments }
    this.#compiled.set(code, compiled)
    return compiled
  }

  /** Tests do not count, nor does code that is not the application's own, nor lines with nothing but brackets. */
  #codeLines(file: string): Set<number> {
    let lines = this.#code.get(file)
    if (lines) return lines
    lines = new Set()
    const own = !/_test\.[cm]?[jt]sx?$/.test(file) && !file.includes('/node_modules/') && existsSync(file)
    if (own && isInside(this.#root, file)) {
      for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
        if (!/^[\s{}()[\];,]*$/.test(text)) lines.add(index + 1)
      }
    }
    this.#code.set(file, lines)
    return lines
  }
}

function countFunction({ functions }: FileCoverage, counted: { name: string; line: number; hits: number }): void {
  const key = `${counted.line}:${counted.name}`
  const known = functions.get(key)
  if (known) known.hits += counted.hits
  else functions.set(key, { ...counted })
}

function isShare(share: unknown): share is CoverageShare {
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
  const isList = (list: unknown, isRow: (row: unknown[]) => boolean): boolean =>
    Array.isArray(list) && list.every((row) => Array.isArray(row) && isRow(row))
  return (
    Array.isArray(share) &&
    share.every((each: unknown) => {
      if (!isRecord(each) || typeof each['file'] !== 'string' || pathProblem(each['file']) !== undefined) return false
      if (/[\r\n]/.test(each['file'])) return false
      return (
        isList(each['lines'], (row) => row.length === 2 && row.every(isCount)) &&
        isList(
          each['functions'],
          ([name, ...counts]) =>
            typeof name === 'string' && !/[\r\n]/.test(name) && counts.length === 2 && counts.every(isCount),
        )
      )
    })
  )
}

/** How often each offset ran: the count of the innermost range around it. Offsets ascend. */
function countsAt(offsets: number[], functions: FunctionCoverage[]): number[] {
  const ranges = functions
    .flatMap((entry) => entry.ranges)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const open: { endOffset: number; count: number }[] = []
  let next = 0
  return offsets.map((offset) => {
    for (let range = ranges[next]; range && range.startOffset <= offset; range = ranges[++next]) {
      while ((open.at(-1)?.endOffset ?? Infinity) <= range.startOffset) open.pop()
      open.push(range)
    }
    while ((open.at(-1)?.endOffset ?? Infinity) <= offset) open.pop()
    return open.at(-1)?.count ?? 0
  })
}
