// What a program or a function threw, from its error output or its message: the last exception and where it came from.

/** `ValueError: bad (agent.py:4)` from a Python traceback; the error line of Node's. */
export function thrownIn(text: string): string | undefined {
  return fromTraceback(text) ?? fromNode(text)
}

function fromTraceback(text: string): string | undefined {
  const lines = text.trimEnd().split('\n')
  const at = lines.findLastIndex((line) => /^ {2}File ".+", line \d+/.test(line))
  if (at === -1) return undefined
  // The exception follows the last frame, at the start of a line.
  const message = lines
    .slice(at + 1)
    .find((line) => /^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt|\w*)(?::|$)/.test(line))
  if (message === undefined) return undefined
  const [, file = '', line = ''] = /^ {2}File "(.+)", line (\d+)/.exec(lines[at] ?? '') ?? []
  return `${message} (${file.split(/[\\/]/).at(-1) ?? file}:${line})`
}

/** Innermost first; those of packages only where there are no others. */
export function tracebackFrames(text: string): string[] {
  const frames = text.split('\n').flatMap((line) => {
    const [, file, at, name] = /^ {2}File "(.+)", line (\d+)(?:, in (.+))?$/.exec(line) ?? []
    return file === undefined ? [] : [{ file, text: `at ${name ?? '<module>'} (${file}:${at ?? ''})` }]
  })
  const own = frames.filter(({ file }) => !/site-packages|dist-packages|[\\/]lib[\\/]python/.test(file))
  return (own.length > 0 ? own : frames).map((frame) => frame.text).toReversed()
}

function fromNode(text: string): string | undefined {
  const lines = text.split('\n')
  const at = lines.findIndex(
    (line, index) => /^(?:Uncaught )?\w*Error(?: \[\w+\])?: /.test(line) && /^\s+at /.test(lines[index + 1] ?? ''),
  )
  if (at === -1) return undefined
  const place = /([\w.-]+\.[cm]?[jt]sx?:\d+:\d+)\)?$/.exec(lines[at + 1] ?? '')?.[1]
  return `${lines[at]}${place === undefined ? '' : ` (${place})`}`
}

/** `message (hint)`, as failed calls are recorded; a place or a status in brackets belongs to the message. */
export function splitHint(message: string): { text: string; hint?: string } {
  if (!message.endsWith(')')) return { text: message }
  let depth = 0
  for (let at = message.length - 1; at > 0; at -= 1) {
    if (message[at] === ')') depth += 1
    if (message[at] === '(') depth -= 1
    if (depth > 0) continue
    const hint = message.slice(at + 1, -1)
    const isHint = message[at - 1] === ' ' && /\s/.test(hint) && !/^(?:at |HTTP |reading |setting |in )/.test(hint)
    return isHint ? { text: message.slice(0, at - 1), hint } : { text: message }
  }
  return { text: message }
}
