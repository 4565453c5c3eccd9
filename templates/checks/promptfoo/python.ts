// Runs a check in Python: python3, or what $PYTHON names. No Python, no result and an exception are errors, not verdicts.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Context } from './code'
import MAIN from './run_check.py'
import type { Settings } from './settings'

/** `sources`: the text of the files that settings name. */
export async function runPython(
  settings: Settings,
  output: unknown,
  context: Context,
  sources: Record<string, string>,
): Promise<unknown> {
  const nonce = randomUUID()
  const { vars, config, test } = context
  const request = { nonce, output, context: { vars, config, test }, ...programOf(settings, sources) }
  const text = await run(process.env['PYTHON'] || 'python3', JSON.stringify(request))
  const { nonce: back, found } = JSON.parse(text) as { nonce?: unknown; found?: unknown }
  if (back !== nonce) throw new Error('the check in Python ended before it gave its result')
  return normal(found, settings.threshold)
}

interface Program {
  code: string
  file?: string
  name?: string
}

function programOf({ file, name = 'get_assert', value }: Settings, sources: Record<string, string>): Program {
  if (file === undefined && typeof value === 'string') return { code: mainOf(value.trimEnd()) }
  const code = file === undefined ? undefined : sources[file]
  if (file === undefined || code === undefined) throw new Error('expected Python code as text, or a file with it')
  // A script's process runs in the application root.
  return { code, file: resolve(file), name }
}

/** A line is an expression; several are the body of a function. */
function mainOf(code: string): string {
  const start = 'import json\ndef main(output, context):\n'
  if (!code.includes('\n')) return `${start}    return ${code.trim()}\n`
  const indent = /^[ \t]+(?=\S)/m.exec(code)?.[0] ?? '    '
  return `${start}${code
    .split('\n')
    .map((line) => indent + line)
    .join('\n')}\n`
}

/** What Python calls pass_ is pass; a text is what it says; a score below the threshold fails, whatever pass says. */
function normal(found: unknown, threshold: number | undefined): unknown {
  if (typeof found === 'string') return normalText(found, threshold)
  if (typeof found !== 'object' || found === null) return found
  const { pass_, pass = pass_, score, reason, ...rest } = found as Record<string, unknown>
  const isLow = threshold !== undefined && (score as number) < threshold
  return {
    ...rest,
    pass: isLow && typeof pass === 'boolean' ? false : pass,
    score,
    reason: isLow && typeof reason === 'string' ? `score ${String(score)} is below ${threshold}: ${reason}` : reason,
  }
}

function normalText(text: string, threshold: number | undefined): unknown {
  const word = text.toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  if (text.startsWith('{')) return normal(JSON.parse(text), threshold)
  const number = Number.parseFloat(text)
  if (Number.isNaN(number)) throw new Error(`expected true, false, a number or an object, got ${text}`)
  return number
}

function run(command: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, ['-c', MAIN], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    })
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err = (err + text).slice(-2000)))
    child.stdin.on('error', () => {})
    child.on('error', (error) => reject(new Error(`cannot start ${command}: ${error.message}`)))
    child.on('close', (code) => {
      if (code === 0 && out !== '') resolve(out)
      else reject(new Error(`the check in Python failed: ${err.trim().split('\n').at(-1) || `exit code ${code}`}`))
    })
    child.stdin.end(input)
  })
}
