// docs/real-agents.md from what the tests noted.
import { readFileSync, writeFileSync } from 'node:fs'
import { AGENTS, versionsOf } from './install.mjs'

const MARK = { yes: 'yes', no: 'no', partial: 'in part' }

export function writePage(results) {
  const rows = readFileSync(results, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const agents = [...new Set(rows.map(({ agent }) => agent))]
  const cells = [...new Set(rows.map(({ cell }) => cell))]
  const at = (agent, cell) => rows.find((row) => row.agent === agent && row.cell === cell)
  const table = [
    `| agent | version | ${cells.join(' | ')} |`,
    `| --- | --- | ${cells.map(() => '---').join(' | ')} |`,
    ...agents.map(
      (agent) =>
        `| ${agent} | ${versionOf(agent)} | ${cells.map((cell) => MARK[at(agent, cell)?.outcome] ?? '–').join(' | ')} |`,
    ),
  ]
  const shown = rows
    .filter((row) => row.shown !== undefined)
    .map(({ agent, cell, shown: text }) => `### ${agent}: ${cell}\n\n\`\`\`text\n${text}\n\`\`\``)
  writeFileSync(
    'docs/real-agents.md',
    [
      '# Real agents',
      'Written by `npm run test:real`: packages as published, with exact versions, against a model on loopback that refuses what the vendors refuse.',
      table.join('\n'),
      ...(shown.length > 0 ? ['## What a tool cannot do', ...shown] : []),
      '',
    ].join('\n\n'),
  )
}

function versionOf(agent) {
  const folder = AGENTS.find((name) => name === agent)
  return folder === undefined ? '' : Object.values(versionsOf(folder))[0]
}
