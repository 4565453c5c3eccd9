// docs/trust/real-agents.md from what the tests noted.
import { readFileSync, writeFileSync } from 'node:fs'
import { AGENTS, versionsOf } from './install.mjs'
import { SITUATIONS } from './situations.mjs'

const MARK = { yes: 'yes', no: 'no', partial: 'in part' }
const PAGE = 'docs/trust/real-agents.md'

export function writePage(results) {
  const rows = readFileSync(results, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const noted = [...new Set(rows.map(({ cell }) => cell))]
  const cells = [
    ...SITUATIONS.filter((cell) => noted.includes(cell)),
    ...noted.filter((cell) => !SITUATIONS.includes(cell)),
  ]
  const names = [...new Set(rows.map(({ agent }) => agent))].toSorted((a, b) => a.localeCompare(b))
  // The last note counts: an agent may be put through a situation in several ways, and the worst of them is last.
  const at = (agent, cell) => rows.findLast((row) => row.agent === agent && row.cell === cell)
  const table = [
    `| agent | package | ${cells.join(' | ')} |`,
    `| --- | --- | ${cells.map(() => '---').join(' | ')} |`,
    ...names.map(
      (agent) =>
        `| ${agent} | ${packageOf(agent)} | ${cells.map((cell) => MARK[at(agent, cell)?.outcome] ?? '–').join(' | ')} |`,
    ),
  ]
  const limits = names.flatMap((agent) =>
    cells.flatMap((cell) => {
      const { shown } = at(agent, cell) ?? {}
      return shown === undefined ? [] : [`### ${agent}: ${cell}\n\n\`\`\`text\n${shown}\n\`\`\``]
    }),
  )
  const text = [
    '# Real agents',
    'Look up whether Viva works with the SDK or coding agent you use, in ten situations each.',
    'Written by `npm run test:real`: packages as published, in exactly these versions, against a model on loopback that refuses what the vendors refuse. *Yes* means that the situation ended as it should, with a true verdict; for turns, tools, tokens and cost a check that holds and one that does not were both tried. *In part* and *no* are limits of the tool, explained below; there Viva says so, with an error or a failure, never with a pass. – means that the situation does not apply.',
    table.join('\n'),
    ...(limits.length > 0 ? ['## What a tool cannot do', ...limits] : []),
  ]
  writeFileSync(PAGE, `${text.join('\n\n')}\n`)
  console.log(`${PAGE}: ${names.length} agents, ${cells.length} situations`)
}

/** `claude-code (ACP)` is a row of the folder `claude-code`. */
function packageOf(agent) {
  const folder = agent.replace(/ \(.*\)$/, '')
  if (!AGENTS.includes(folder)) return ''
  const versions = Object.entries(versionsOf(folder))
  // `ai-6` is about `ai`, whatever it needs beside that.
  const subject = folder.replace(/-[\d.]+$/, '')
  const [name, version] = versions.find(([each]) => each.split(/[/@]/).includes(subject)) ?? versions[0]
  return `${name} ${version}`
}
