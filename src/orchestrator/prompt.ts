// The prompt of one iteration. The same state gives the same text, so that it can be hashed: no times, ids or counters.
import type { BusEvent } from './bus.js'
import type { Hat } from './hats.js'

export interface PromptState {
  task: string
  hat: Hat
  events: BusEvent[]
  scratchpad: { path: string; tail: string }
  guardrails: string[]
  promise: string
}

export function buildPrompt({ task, hat, events, scratchpad, guardrails, promise }: PromptState): string {
  return [
    section('Objective', task.trim()),
    section(`Your role: ${hat.name}`, [hat.description, hat.instructions].filter((text) => text !== '').join('\n\n')),
    section('Pending events', events.map(eventText).join('\n\n')),
    section(`Scratchpad (${scratchpad.path})`, scratchpad.tail === '' ? '(empty)' : scratchpad.tail),
    section('Guardrails', guardrails.map((rule) => `- ${rule}`).join('\n')),
    section('Publishing events', publishing(hat)),
    section('Finishing', `When the whole objective is met, end your answer with this line:\n\n${promise}`),
  ]
    .filter((text) => text !== '')
    .join('\n')
}

/** Some programs print what they were asked: the events and the promise in it are ours, not theirs. */
export function withoutEcho(output: string, prompt: string): string {
  return output.replaceAll(prompt.trim(), '')
}

function section(title: string, text: string): string {
  return text === '' ? '' : `## ${title}\n\n${text}\n`
}

function eventText({ topic, payload, source }: BusEvent): string {
  const from = source === null ? '' : ` (from ${source})`
  return payload === '' ? `### ${topic}${from}` : `### ${topic}${from}\n\n${payload}`
}

function publishing({ publishes }: Hat): string {
  const [topic = 'topic.name'] = publishes
  const known = publishes.length === 0 ? '' : `You publish: ${publishes.join(', ')}.\n`
  return `${known}Write events in your answer, e.g. <event topic="${topic}">what happened</event>, or run: viva emit ${topic} "what happened"`
}
