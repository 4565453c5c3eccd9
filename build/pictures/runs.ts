// The runs that pages show: made once each, by the command line.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { settleEvents } from './settle-events.js'

const RUNS = {
  six: ['-i', 'assistants/returns/tests/cases.jsonl'],
  many: ['-i', 'desk.cases.mjs', '-n', './desk.mjs#desk'],
  variants: [
    '-i',
    'voices.cases.mjs',
    ...['terse', 'friendly', 'thorough'].flatMap((name) => ['--variant', `${name}=./voices.mjs#${name}`]),
  ],
  before: ['-i', 'voices.cases.mjs', '-n', './voices.mjs#release', '--runs', '5'],
  after: ['-i', 'voices.cases.mjs', '-n', './voices.mjs#release', '--runs', '5'],
}

export interface Runs {
  /** The address of a report. */
  report(name: keyof typeof RUNS): string
  comparison(): string
  /** The address of a page that follows a run in progress. */
  live(): Promise<string>
  close(): void
}

export function openRuns(root: string, cwd: string): Runs {
  const made = new Set<string>()
  const servers: ChildProcess[] = []
  const bin = join(root, 'bin', 'viva.js')
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, LANG: 'C.UTF-8', TZ: 'UTC' }

  function viva(args: string[], more: Record<string, string> = {}): void {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
      cwd,
      env: { ...env, ...more },
      encoding: 'utf8',
    })
    if (status !== 0 && status !== 1) throw new Error(`viva ${args.join(' ')}\n${stdout}\n${stderr}`)
  }

  function events(name: keyof typeof RUNS): string {
    const path = join(cwd, `${name}.jsonl`)
    if (made.has(name)) return path
    made.add(name)
    const shard = join(cwd, `${name}.shard.jsonl`)
    viva(['test', ...RUNS[name], '--shard', '1/1', '--run-group', 'pictures', '-o', shard], {
      RELEASE: name === 'after' ? '2' : '1',
    })
    settleEvents(shard, cwd, name)
    // Merging writes a new summary, with the settled times.
    viva(['merge', shard, '-o', path])
    return path
  }

  return {
    report(name) {
      const path = join(cwd, `${name}.html`)
      viva(['report', events(name), '-o', path])
      return pathToFileURL(path).href
    },
    comparison() {
      const path = join(cwd, 'comparison.html')
      viva(['compare', events('before'), events('after'), '-o', path])
      return pathToFileURL(path).href
    },
    async live() {
      const path = join(cwd, 'output-20260314093000.jsonl')
      const lines = readFileSync(events('many'), 'utf8').split('\n')
      writeFileSync(path, `${lines.slice(0, 320).join('\n')}\n`)
      const server = spawn(process.execPath, [bin, 'view', path], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
      servers.push(server)
      let printed = ''
      for await (const text of server.stdout.setEncoding('utf8')) {
        printed += text as string
        const url = /http:\/\/\S+/.exec(printed)?.[0]
        if (url !== undefined) return url
      }
      throw new Error(`viva view ended: ${printed}`)
    },
    close: () => servers.forEach((server) => server.kill()),
  }
}
