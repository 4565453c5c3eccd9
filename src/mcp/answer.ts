// What a tool returned → the answer to its call: small enough for any client, and marked as data.
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { clip, preview } from '../base/text.js'
import type { Answer, Job, Jobs } from './jobs.js'
import { DATA_NOTICE } from './notice.js'
import { shorten } from './shorten.js'

/** Size of one answer, as it goes over the wire. */
const MOST_BYTES = 20_000
const MOST_ERROR_CHARS = 8_000

/** In every answer, beside what the tool returns. */
export interface AnswerNote {
  status: 'complete' | 'shortened' | 'running'
  /** For get_result: the rest of a shortened answer, the end of what is running. */
  id?: string
  /** For get_result: where the whole answer begins. */
  cursor?: number
  /** The whole answer. */
  resource?: string
  notice: string
}

function resultUri(id: string): string {
  return `viva://results/${id}`
}

/** A long answer is kept, and can be requested. */
export function completeAnswer(job: Job, answer: Answer, jobs: Jobs): CallToolResult {
  const whole = toResult(answer, { status: 'complete', notice: DATA_NOTICE })
  const bytes = bytesOf(whole)
  if (bytes <= MOST_BYTES) return whole
  jobs.keep(job, bytes)
  const note: AnswerNote = {
    status: 'shortened',
    id: job.id,
    cursor: 0,
    resource: resultUri(job.id),
    notice: `${DATA_NOTICE} This answer is shortened: get_result {"id": "${job.id}", "cursor": 0} returns all of it.`,
  }
  const link = linkTo(job)
  return toResult(
    shorten(answer, (shorter) => bytesOf(toResult(shorter, note, link)) <= MOST_BYTES),
    note,
    link,
  )
}

/** The call continues; asking for its id reports how it ends. */
export function runningAnswer(job: Job, jobs: Jobs): CallToolResult {
  jobs.keep(job)
  const so_far = job.progress && preview(job.progress.message, 200)
  const notice = `${job.tool} is still running${so_far ? ` (${so_far})` : ''}. Call get_result {"id": "${job.id}"} until it is done; it waits for you. ${DATA_NOTICE}`
  return toResult({}, { status: 'running', id: job.id, notice })
}

export function errorAnswer(text: string): CallToolResult {
  return {
    content: [
      { type: 'text', text: clip(text, MOST_ERROR_CHARS) },
      { type: 'text', text: DATA_NOTICE },
    ],
    isError: true,
  }
}

function bytesOf(result: CallToolResult): number {
  return Buffer.byteLength(JSON.stringify(result))
}

/** Clients that do not know structured content read the same as text. The note comes first: it is about what follows. */
function toResult(answer: Answer, note: AnswerNote, ...links: ContentBlock[]): CallToolResult {
  const structuredContent = { answer: note, ...answer }
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }, ...links], structuredContent }
}

function linkTo({ id, tool }: Job): ContentBlock {
  return {
    type: 'resource_link',
    uri: resultUri(id),
    name: `${tool}-${id}`,
    description: `The whole answer of ${tool}. ${DATA_NOTICE}`,
    mimeType: 'application/json',
  }
}
