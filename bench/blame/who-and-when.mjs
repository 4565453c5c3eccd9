// The logs of Who&When as steps: experts that talk and write code, and a terminal that runs it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function readLogs(folder) {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => toLog(JSON.parse(line))),
  )
}

function toLog({ history, mistake_step, mistake_agent }) {
  return { steps: history.map(toStep), truth: Number(mistake_step), agent: mistake_agent }
}

function toStep({ name, role, content }, index) {
  const by = name ?? role
  if (by === 'Computer_terminal') {
    const code = /^exitcode: (\d+)/.exec(content)?.[1]
    if (code === undefined) return { by, kind: 'asks', text: content }
    return { by, kind: 'sees', text: content, failed: code !== '0' }
  }
  if (/```(?:python|sh|bash)/.test(content)) return { by, kind: 'acts', text: content, code: true }
  return { by, kind: index === 0 ? 'asks' : 'says', text: content }
}
