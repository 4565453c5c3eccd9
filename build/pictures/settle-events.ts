// A run's events with another clock: what happened stays, and how long it took is the same each time the pictures are made.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Timed = { [key: string]: Json } & { start_ms: number; duration_ms: number }

const BEGIN = Date.parse('2026-03-14T09:30:00.000Z')
/** How long a step usually takes; what is not here is quick. */
const USUAL: Record<string, number> = { model: 640, tool: 85, judge: 900, agent: 900, hook: 14 }

/** Rewrites the file in place; `cwd` is where it was made, which is nobody's business. */
export function settleEvents(path: string, cwd: string, name: string): void {
  const text = readFileSync(path, 'utf8')
  const run = /"run_id":"([^"]+)"/.exec(text)?.[1] ?? ''
  let now = BEGIN
  const settled = text
    .replaceAll(run, `run-${name}`)
    .replaceAll(cwd, '/home/you/shop')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { [key: string]: Json })
    .map((event) => {
      if (event['type'] === 'result') now += settleResult(event)
      if (event['type'] === 'summary') event['duration_ms'] = now - BEGIN
      if ('timestamp' in event) event['timestamp'] = new Date(now).toISOString()
      return `${JSON.stringify(event)}\n`
    })
  writeFileSync(path, settled.join(''))
}

/** One step after the other, each with a length by its kind. Returns that of the whole. */
function settleResult(event: { [key: string]: Json }): number {
  const { trace = [], ...rest } = event
  // Judges come after what they judge.
  const steps = [...timedIn(trace), ...timedIn(rest)]
  let now = 2
  steps.forEach((step, index) => {
    step.start_ms = now
    step.duration_ms = stepLength(kindOf(step), index + idOf(event).length)
    now += step.duration_ms + 2
  })
  const whole = steps.length > 0 ? now : quickAnswer(event)
  event['duration_ms'] = whole
  return whole
}

function stepLength(kind: string, seed: number): number {
  return Math.round((USUAL[kind] ?? 3) * (0.8 + ((seed * 37) % 50) / 100))
}

function idOf(event: { [key: string]: Json }): string {
  return typeof event['id'] === 'string' ? event['id'] : ''
}

function kindOf(span: Timed): string {
  const kind = span['kind'] ?? span['type']
  return typeof kind === 'string' ? kind : ''
}

/** Of an agent that reports no steps: the more it says, the longer it takes. */
function quickAnswer(event: { [key: string]: Json }): number {
  const [luck = 0] = createHash('sha256')
    .update(JSON.stringify([event['id'], event['run']]))
    .digest()
  const usage = event['usage'] as { output_tokens?: number } | undefined
  return Math.round((60 + 20 * (usage?.output_tokens ?? 10)) * 2 ** (luck / 128 - 1))
}

function timedIn(value: Json): Timed[] {
  if (value === null || typeof value !== 'object') return []
  const inner = (Array.isArray(value) ? value : Object.values(value)).flatMap(timedIn)
  return isTimed(value) ? [value, ...inner] : inner
}

function isTimed(value: Json): value is Timed {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    typeof value['start_ms'] === 'number' &&
    typeof value['duration_ms'] === 'number'
  )
}
