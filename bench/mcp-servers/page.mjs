// What was found, as a page of the documentation.
import { group } from './group.mjs'

export function page(rows, withBrowser) {
  return `# Real MCP servers

See what the contract of [\`viva test -n mcp:…\`](../start/mcp-server.md) finds in ten servers as they are published, and what it leaves out.

Each server runs with \`--allow-destructive\`, in a folder and a HOME that are thrown away, without a browser and without a cluster.
A tool counts as exercised if at least one call that its schema allows was answered with a result. Every finding was checked by hand, with the
request and the answer that are shown. \`node bench/mcp-servers/run.mjs --write\` writes this page; with \`VIVA_BROWSER=PATH\`, servers that need a browser run once more, with that one.

Cases run one at a time. \`server-memory\` keeps its graph in its own package folder, which all servers share: with \`--parallel 2\` one case sees what another has
written, and what cannot be told apart is skipped as not exercised.

${table(rows)}

${rows.map((each) => section(each)).join('\n')}${withBrowser.length > 0 ? browserPart(withBrowser) : ''}`
}

function browserPart(rows) {
  return `
## With a browser

The same calls, with a headless Chromium and without a network.

${table(rows)}

${rows.map((each) => section(each, '###')).join('\n')}`
}

function table(rows) {
  const total = (pick) => rows.reduce((sum, row) => sum + pick(row), 0)
  return `| server | tools | exercised | not exercised | findings | hints |
| --- | --- | --- | --- | --- | --- |
${rows.map(row).join('\n')}
| all | ${total(({ listed }) => listed)} | ${total(({ exercised }) => exercised)} | ${total(({ skipped }) => skipped.filter(isTool).length)} | ${total(({ findings }) => findings.length)} | ${total(({ hints }) => hints.length)} |`
}

const isTool = ({ id }) => id.startsWith('tool/')

function row({ server, listed, exercised, skipped, findings, hints }) {
  const { name, version } = server
  return `| \`${name}\` ${version} | ${listed} | ${exercised} | ${skipped.filter(isTool).length} | ${findings.length} | ${hints.length} |`
}

function section({ server, about, skipped, findings }, heading = '##') {
  const protocol = about?.protocol === undefined ? '' : `, protocol ${about.protocol}`
  const parts = [
    `${heading} ${server.name} ${server.version}\n`,
    `${about?.name ?? 'It'} ${about?.version ?? ''}${protocol}.\n`,
  ]
  const reasons = [...group(skipped, ({ reason }) => short(reason))]
  if (reasons.length > 0) {
    parts.push('Not exercised:\n')
    parts.push(
      `${reasons.map(([reason, all]) => `- ${all.map(({ id }) => `\`${id}\``).join(', ')}: ${reason}`).join('\n')}\n`,
    )
  }
  if (findings.length === 0) parts.push('No findings.\n')
  for (const finding of findings) parts.push(findingText(finding))
  return parts.join('\n')
}

function findingText({ id, rule, found, also = [], request, answer, before, after, checked }) {
  const others = also.length > 0 ? `\n\nAlso: ${also.map(short).join('; ')}` : ''
  const shown = [request, answer, before, after].filter((each) => each !== undefined)
  const raw = shown.length > 0 ? `\n\n\`\`\`text\n${shown.map(raw1).join('\n')}\n\`\`\`` : ''
  return `**\`${id}\`, ${rule}**: ${short(found)}${others}${raw}\n\nChecked: ${checked ?? 'not yet'}\n`
}

/** One line, without the folders of one run. */
function short(text) {
  const line = String(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\/tmp\/[\w./-]*?(?=\/[\w.-]+(?:['"\s]|$))/g, '…')
  const cut = line.length > 300 ? `${line.slice(0, 300)}…` : line
  return cut.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

function raw1(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 1500 ? `${text.slice(0, 1500)}…` : text
}
