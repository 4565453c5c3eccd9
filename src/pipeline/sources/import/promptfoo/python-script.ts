// Part of the script that comes with an imported suite: checks in Python.

export const PYTHON_PATH = 'scripts/python.ts'

export const PYTHON_SCRIPT = String.raw`// Runs a check in Python: python3, or what $PYTHON names. No Python, no result and an exception are errors, not verdicts.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = [
  'import importlib.util, io, json, os, sys',
  'given = json.loads(sys.stdin.buffer.read().decode("utf-8"))',
  'answer = sys.stdout.buffer',
  'sys.stdout = sys.stderr',
  'if given.get("file"):',
  '    sys.path.insert(0, os.path.dirname(given["file"]))',
  '    spec = importlib.util.spec_from_file_location("own_check", given["file"])',
  '    module = importlib.util.module_from_spec(spec)',
  '    spec.loader.exec_module(module)',
  '    check = getattr(module, given["name"])',
  'else:',
  '    scope = {}',
  '    exec(compile(given["code"], "check", "exec"), scope)',
  '    check = scope["main"]',
  'class Context(dict):',
  '    def get(self, name, default=None):',
  '        return self[name] if name in self or name in LEFT else default',
  '    def __missing__(self, name):',
  '        raise KeyError("context." + str(name) + " is not carried over")',
  'LEFT = ("prompt", "provider", "logProbs", "trace", "metadata", "providerResponse")',
  'found = check(given["output"], Context(given["context"]))',
  'if not isinstance(found, (bool, int, float, str, dict)):',
  '    sys.exit("expected True, False, a number or a dict, got " + type(found).__name__)',
  'answer.write(json.dumps({"nonce": given["nonce"], "found": found}, allow_nan=False).encode("utf-8"))',
].join('\n')

export async function runPython(settings: any, output: any, context: any): Promise<any> {
  const nonce = crypto.randomUUID()
  const own = typeof settings.file === 'string' ? { file: join(folder(), settings.file), name: settings.name ?? 'get_assert' } : { code: program(settings.value) }
  const { vars, config, test } = context
  const given = JSON.stringify({ nonce, output, context: { vars, config, test }, ...own })
  const text = await run(process.env.PYTHON || 'python3', given)
  const { nonce: back, found } = JSON.parse(text)
  if (back !== nonce) throw new Error('the check in Python ended before it gave its result')
  return normal(found, settings.threshold)
}

/** A line is an expression; several are the body of a function. */
function program(code: string): string {
  const body = code.trimEnd()
  if (!body.includes('\n')) return 'import json\ndef main(output, context):\n    return ' + body.trim() + '\n'
  const indent = /^[ \t]+(?=\S)/m.exec(body)?.[0] ?? '    '
  return 'import json\ndef main(output, context):\n' + body.split('\n').map((line) => indent + line).join('\n') + '\n'
}

/** What Python calls pass_ is pass; a text is what it says; a score below the threshold is a failure, whatever pass says. */
function normal(found: any, threshold: number | undefined): any {
  if (typeof found === 'string') {
    const word = found.toLowerCase()
    if (word === 'true' || word === 'false') return word === 'true'
    if (found.startsWith('{')) return normal(JSON.parse(found), threshold)
    const number = Number.parseFloat(found)
    if (Number.isNaN(number)) throw new Error('expected true, false, a number or an object, got ' + found)
    return number
  }
  if (typeof found !== 'object' || found === null) return found
  const { pass_, pass = pass_, score, reason, ...rest } = found
  const isLow = threshold !== undefined && score < threshold
  return { ...rest, pass: isLow && typeof pass === 'boolean' ? false : pass, score, reason: isLow && typeof reason === 'string' ? 'score ' + score + ' is below ' + threshold + ': ' + reason : reason }
}

function run(command: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, ['-c', MAIN], { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } })
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (err = (err + text).slice(-2000)))
    child.stdin.on('error', () => {})
    child.on('error', (error) => reject(new Error('cannot start ' + command + ': ' + error.message)))
    child.on('close', (code) => {
      if (code === 0 && out !== '') resolve(out)
      else reject(new Error('the check in Python failed: ' + (err.trim().split('\n').at(-1) || 'exit code ' + code)))
    })
    child.stdin.end(input)
  })
}

function folder(): string {
  return dirname(fileURLToPath(import.meta.url))
}
`
