// Runs the real command line on files made for one test, and hands back everything it did.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { expectKnownEvent } from './event-schema.js'

/** Another build can be put to the same tests: `VIVA_BIN=…/bin/viva.js`. */
export const BIN = process.env['VIVA_BIN'] ?? fileURLToPath(new URL('../../bin/viva.js', import.meta.url))
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface CliRun {
  code: number | null
  stdout: string
  stderr: string
  dir: string
}

export type Files = Record<string, string | Buffer | object>

/** A folder with these files, removed when the test ends. Objects become JSON, lists JSONL where the name says so. */
/** Tests that run side by side hand in the `onTestFinished` of their own. */
export function makeFolder(files: Files = {}, whenFinished: typeof onTestFinished = onTestFinished): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'viva-test-')))
  writeFiles(dir, files)
  whenFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export function writeFiles(dir: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), textOf(name, content))
  }
}

function textOf(name: string, content: string | Buffer | object): string | Buffer {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content
  if (name.endsWith('.jsonl') && Array.isArray(content))
    return content.map((item) => `${JSON.stringify(item)}\n`).join('')
  return JSON.stringify(content)
}

export interface CliOptions {
  cwd: string
  env?: Record<string, string>
  stdin?: string
}

export async function viva(args: string[], options: CliOptions): Promise<CliRun> {
  const child = startViva(args, options)
  child.process.stdin?.end(options.stdin ?? '')
  return child.done
}

export interface StartedCli {
  process: ChildProcess
  done: Promise<CliRun>
  /** Resolves when the output so far (both streams) contains the text. */
  saw(text: string): Promise<void>
}

export function startViva(args: string[], options: CliOptions): StartedCli {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: options.cwd, LANG: 'C.UTF-8', TZ: 'UTC', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const waiting: Array<{ text: string; resolve: () => void }> = []
  const look = (): void => {
    for (const wait of waiting) if (stdout.includes(wait.text) || stderr.includes(wait.text)) wait.resolve()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    look()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    look()
  })
  child.stdin.on('error', () => {})
  const done = new Promise<CliRun>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr, dir: options.cwd }))
  })
  return {
    process: child,
    done,
    saw: (text) =>
      Promise.race([
        new Promise<void>((resolve) => {
          waiting.push({ text, resolve })
          look()
        }),
        done.then(() => {}),
      ]),
  }
}

/** The events of an event file or of `--json` output, each as its schema says. */
export function parseEvents(text: string): Array<Record<string, unknown> & { type: string }> {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const event = JSON.parse(line) as Record<string, unknown> & { type: string }
      expectKnownEvent(event)
      return event
    })
}
