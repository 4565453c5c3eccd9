// The contracts of ten real MCP servers: `node bench/mcp-servers/run.mjs [--write] [name …]`. Installs each outside the
// checkout (VIVA_MCP_CACHE), runs it with --allow-destructive in a throw-away folder, and shows what was called, what was
// not and why, and each finding with its request and answer. Those that need a browser run once more with the one at
// VIVA_BROWSER. `checked.json` has what a person found out about each finding.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../support/paths.mjs'
import { page } from './page.mjs'
import { readRun } from './read-run.mjs'
import { SERVERS } from './servers.mjs'

const BIN = process.env.VIVA_BIN ?? join(ROOT, 'bin/viva.js')
const CACHE = process.env.VIVA_MCP_CACHE ?? join(tmpdir(), 'viva-mcp-servers')
const CHECKED = JSON.parse(readFileSync(new URL('checked.json', import.meta.url), 'utf8'))

const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const chosen = SERVERS.filter(({ name }) => names.length === 0 || names.some((each) => name.includes(each)))
const { VIVA_BROWSER: browser } = process.env
const withBrowser = chosen
  .filter((server) => browser !== undefined && server.browser !== undefined)
  .map(({ needs: _needs, ...server }) => ({ ...server, args: [...server.args, ...server.browser(browser)] }))
const text = page(chosen.map(rowOf), withBrowser.map(rowOf))
if (process.argv.includes('--write')) writeFileSync(join(ROOT, 'docs/trust/mcp-servers.md'), text)
console.log(text)

function rowOf(server) {
  const { command } = install(server)
  console.error(`${server.name}@${server.version}`)
  return readRun(server, run(server, command), CHECKED)
}

/** Scripts of packages are not run: they would download browsers. */
function install({ name, version, bin }) {
  const folder = join(CACHE, `${name.replaceAll(/[@/]+/g, '_')}-${version}`)
  const command = join(folder, 'node_modules/.bin', bin)
  if (!existsSync(command)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private": true}')
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', `${name}@${version}`]
    const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${name} could not be installed: ${stderr}`)
  }
  return { command }
}

/** The events of the run, one case at a time: some servers share a file in their package. The folder and HOME are thrown away; Viva gives each case its own besides. */
function run({ args = [], setup }, command) {
  const folder = mkdtempSync(join(tmpdir(), 'viva-mcp-run-'))
  try {
    const started = [command, ...args].join(' ')
    const script = `${setup} >&2; exec ${started}`
    const target = `mcp:${setup === undefined ? started : `bash -c '${script.replaceAll("'", String.raw`'\''`)}'`}`
    const given = ['test', '-n', target, '--allow-destructive', '--parallel', '1', '-o', 'events.jsonl', '--no-color']
    const env = { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' }
    const { stderr } = spawnSync(process.execPath, [BIN, ...given], { cwd: folder, env, encoding: 'utf8' })
    const events = join(folder, 'events.jsonl')
    if (!existsSync(events)) throw new Error(`${target}: nothing was run: ${stderr}`)
    return readFileSync(events, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
