// Keeps bench/results.md: one section per benchmark, replaced when it runs again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { ROOT } from './paths.mjs'

export function record(title, text) {
  const path = `${ROOT}bench/results.md`
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  const before = existsSync(path)
    ? readFileSync(path, 'utf8')
    : '# Benchmark results\n\nRatios in one run on one machine; CPU is user + system of the whole process tree, memory is peak resident.\nEach section is replaced when its benchmark runs again.\n'
  const section = `## ${title}\n\n${new Date().toISOString().slice(0, 10)} · viva ${version} · Node ${process.version} · ${cpus().length} cores\n\n${text}\n`
  const parts = before.split(/^(?=## )/m)
  const at = parts.findIndex((part) => part.startsWith(`## ${title}\n`))
  if (at >= 0) parts[at] = `${section}\n`
  else parts.push(`${section}\n`)
  writeFileSync(path, `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`)
  console.log(`\n## ${title}\n\n${text}`)
}
