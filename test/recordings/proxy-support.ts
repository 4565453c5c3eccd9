// `viva proxy` without a command, spoken to by the test itself.
import { parse } from 'yaml'
import type { RecordedResponse } from '../../src/model/cassette.js'
import { bodyBytes } from '../../src/recordings/wire-response.js'
import { startViva, type CliRun } from '../support/run-cli.js'

export interface OpenedProxy {
  openai: string
  anthropic: string
  /** `http://127.0.0.1:port/key` */
  url: string
  /** Ctrl-C. */
  stop(): Promise<CliRun>
  /** No chance to write anything. */
  kill(): Promise<CliRun>
}

export async function startProxy(dir: string, args: string[], env: Record<string, string> = {}): Promise<OpenedProxy> {
  const started = startViva(['proxy', ...args], { cwd: dir, env })
  let printed = ''
  started.process.stdout?.on('data', (text: string) => (printed += text))
  // On two streams: either may be read first.
  await Promise.all(['Ctrl-C', 'OPENAI_BASE_URL=', 'ANTHROPIC_BASE_URL='].map((text) => started.saw(text)))
  const [openai = '', anthropic = ''] = ['OPENAI', 'ANTHROPIC'].map(
    (name) => new RegExp(`^${name}_BASE_URL=(.*)$`, 'm').exec(printed)?.[1] ?? '',
  )
  const end = (signal: NodeJS.Signals): Promise<CliRun> => {
    started.process.kill(signal)
    return started.done
  }
  return {
    openai,
    anthropic,
    url: anthropic.replace(/\/anthropic$/, ''),
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
  }
}

export function chat(content: string, rest: object = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-proj-header0123456789abcdef' },
    body: JSON.stringify({ model: 'gpt', messages: [{ role: 'user', content }], stream: true, ...rest }),
  }
}

/** What a model said and which arguments it gave, in all streams of a recording, put together. */
export function piecesIn(recording: string): string {
  const { interactions } = parse(recording) as { interactions: Array<{ response: RecordedResponse }> }
  const bodies = interactions.map(({ response }) =>
    bodyBytes((response.error?.partial ?? response) as RecordedResponse),
  )
  const pieces = bodies.flatMap((body) => [...body.toString().matchAll(/"(?:content|arguments)":"((?:[^"\\]|\\.)*)"/g)])
  return pieces.map(([, piece]) => piece).join('')
}
