// Logs of Inspect: the samples of a task with their targets. The scorers that judged them are named in their scores.
import { isRecord } from '../../base/record.js'
import { recordFormat } from '../format.js'
import { expectText, judgeFor, type ImportOptions } from '../imported.js'
import { readAnything } from '../messages.js'
import type { Source } from '../source.js'

export const INSPECT = recordFormat({
  id: 'inspect',
  label: 'Inspect log',
  around: {
    list: ['samples'],
    idle: [
      'version',
      'status',
      'eval',
      'plan',
      'results',
      'stats',
      'error',
      'reductions',
      'location',
      'etag',
      'log_updates',
      'invalidated',
      'sample_summaries',
    ],
  },
  is: (record) => 'input' in record && 'target' in record && ('epoch' in record || 'choices' in record),
  read: (sample, { options, all, around }) => {
    const id = sample.data('id')
    const epoch = sample.data('epoch')
    // Epochs are repeats of one sample: --runs.
    const isRepeat = all.some((one) => isRecord(one) && one['id'] === id && Number(one['epoch']) < Number(epoch))
    const { text, said } = readAnything(sample, ['input'])
    const targets = targetsOf(sample)
    const scorers = namesIn(sample.object('scores')?.take())
    const specs = (scorers.length === 0 ? ['unknown'] : scorers).map((name) =>
      isConfigured(around, name) ? undefined : expectationOf(name, targets, options),
    )
    const metadata = sample.object('metadata')?.take()
    sample.idle(
      'messages',
      'output',
      'store',
      'events',
      'model_usage',
      'role_usage',
      'attachments',
      'uuid',
      'limit',
      'error',
    )
    sample.idle(
      'started_at',
      'completed_at',
      'total_time',
      'working_time',
      'timelines',
      'error_retries',
      'invalidation',
    )
    sample.idle('events_data', 'transcript', 'message_pool', 'call_pool')
    const history = (said ?? []).filter((one) => one.text !== '')
    return {
      id,
      ...(isRepeat && { isPart: true }),
      ...(text ? { input: text } : { messages: history.map(({ role, text: content }) => ({ role, content })) }),
      assert: targets.length === 0 ? [] : specs.flatMap((spec) => (spec ? [spec] : [])),
      ...(isRecord(metadata) && { metadata }),
      lost: scorers
        .filter((_, index) => targets.length > 0 && specs[index] === undefined)
        .map((name) => `the scorer ${name}`),
    }
  },
  note: 'solvers and tools belong to the task, which is Python code: the agent that is tested brings its own',
})

/** A scorer with settings of its own compares otherwise than it usually does. */
function isConfigured(around: Source | undefined, scorer: string): boolean {
  const { eval: about } = isRecord(around?.value) ? around.value : {}
  const scorers: unknown[] = isRecord(about) && Array.isArray(about['scorers']) ? about['scorers'] : []
  const own = scorers.find((one) => isRecord(one) && one['name'] === scorer)
  const settings = isRecord(own) ? own['options'] : undefined
  return scorer === 'match' && !own ? true : isRecord(settings) && Object.keys(settings).length > 0
}

function targetsOf(sample: Source): string[] {
  const only = sample.text('target')
  const all = only === undefined ? (sample.list('target') ?? []).map((one) => one.take()) : [only]
  return all.filter((one): one is string => typeof one === 'string' && one !== '')
}

/** Undefined where the scorer has no counterpart. Several targets: any of them. */
function expectationOf(scorer: string, targets: string[], options: ImportOptions): Record<string, unknown> | undefined {
  const any = (specs: Array<Record<string, unknown>>): Record<string, unknown> | undefined =>
    specs.length > 1 ? { type: 'any', assertions: specs } : specs[0]
  switch (scorer) {
    case 'includes':
      return any(targets.map((value) => ({ type: 'contains', value, ignore_case: true })))
    case 'model_graded_qa':
    case 'model_graded_fact':
      return any(targets.map((target) => judgeFor(`The answer meets this criterion: ${target}`)))
    case 'match':
      // At the end, whatever its case and the punctuation around it.
      return any(targets.map((target) => ({ type: 'regex', value: `(?i)${escaped(target)}[\\s.,;:!?"')]*$` })))
    case 'unknown':
    case 'exact':
      return any(
        targets.map((target) => (scorer === 'exact' ? { type: 'equals', value: target } : expectText(target, options))),
      )
    default:
      return undefined
  }
}

function escaped(text: string): string {
  return text.trim().replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function namesIn(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : []
}
