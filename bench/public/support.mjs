// Judging rows through the command line, and what is said about the result.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measure } from '../support/measure.mjs'
import { WORK } from '../support/paths.mjs'
import { VIVA } from '../support/viva.mjs'

const AGENT = fileURLToPath(new URL('agent.mjs', import.meta.url))

export function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** `official` is whether the source says that it passed. Greener: Viva passes what the source does not. */
export async function verdictsOf(rows) {
  const dir = mkdtempSync(join(WORK, 'public-'))
  try {
    const cases = rows.map(({ id, reply, assert }) =>
      JSON.stringify({ id, input: withFloats(JSON.stringify(reply)), assert }),
    )
    writeFileSync(join(dir, 'cases.jsonl'), `${cases.join('\n')}\n`)
    const args = [VIVA, 'test', '-i', 'cases.jsonl', '-n', AGENT, '-o', 'out.jsonl', '--parallel', '20']
    const { cpu, code, stderr } = await measure(process.execPath, args, { cwd: dir })
    if (code !== 0 && code !== 1) throw new Error(`viva test ended with ${code}\n${stderr}`)
    const results = readLines(join(dir, 'out.jsonl')).filter(({ type }) => type === 'result')
    const byId = new Map(results.map((result) => [result.id, result]))
    const judged = rows.map((row) => ({ ...row, result: byId.get(row.id) }))
    const lost = judged.filter(({ result }) => result === undefined || result.error_kind === 'input')
    if (lost.length > 0) throw new Error(`no verdict on ${lost[0].id}: ${JSON.stringify(lost[0].result?.assertions)}`)
    const passed = ({ result }) => result.status === 'passed'
    // What is documented is listed as such, not among the differences.
    const isKnown = (row) => row.known !== undefined && passed(row) !== row.official
    const compared = judged.filter((row) => !isKnown(row))
    return {
      rows: judged,
      known: judged.filter(isKnown),
      count: compared.length,
      greener: compared.filter((row) => passed(row) && !row.official),
      stricter: compared.filter((row) => !passed(row) && row.official),
      agree: compared.filter((row) => passed(row) === row.official).length,
      cpu_us: (cpu / judged.length) * 1e6,
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** `"@float:3.0"` → `3.0`, which JSON.stringify cannot write. */
function withFloats(json) {
  return json.replaceAll(/"@float:([^"]+)"/g, '$1')
}

/** Clopper and Pearson would be exact; Wilson is close, and needs no library. */
export function interval(agree, count, z = 1.96) {
  const share = agree / count
  const middle = share + (z * z) / (2 * count)
  const half = z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count))
  return [(middle - half) / (1 + (z * z) / count), Math.min(1, (middle + half) / (1 + (z * z) / count))]
}

/** In the order of their first appearance. */
export function groupBy(list, keyOf) {
  const groups = new Map()
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
