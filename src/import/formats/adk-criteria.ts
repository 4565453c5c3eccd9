// test_config.json of ADK: which criteria are applied, and from which score on they hold.
import { isRecord } from '../../base/record.js'
import type { Note } from '../imported.js'
import type { SourceFolder } from '../read-source.js'
import { Source } from '../source.js'

export interface Criteria {
  /** How the calls are compared; undefined: not at all. */
  trajectory: 'strict' | 'ordered' | 'superset' | undefined
  /** The share of words that an answer has in common with the expected one. */
  words: number | undefined
  /** A judge compares the answer. */
  isJudged: boolean
  /** What a judge is asked about every answer. */
  rubrics: string[]
}

export interface FoundCriteria {
  criteria: Criteria
  notes: Array<Omit<Note, 'case'>>
  /** In words. */
  shown: string
}

const CONFIG = 'test_config.json'
const MATCH: Record<string, Criteria['trajectory']> = { EXACT: 'strict', IN_ORDER: 'ordered', ANY_ORDER: 'superset' }

/** Without the file ADK compares calls exactly, and answers by their words. */
export async function readCriteria(folder: SourceFolder): Promise<FoundCriteria> {
  const usual: Criteria = { trajectory: 'strict', words: 0.8, isJudged: false, rubrics: [] }
  if (!folder.has(CONFIG)) return { criteria: usual, notes: [], shown: inWords(usual) }
  const located = await folder.structured(CONFIG)
  const config = new Source(located.value, located)
  const given = config.object('criteria')
  const criteria: Criteria = { trajectory: undefined, words: undefined, isJudged: false, rubrics: [] }
  const notes: FoundCriteria['notes'] = []
  const tell = (kind: Note['kind'], reason: string): void => {
    notes.push({ ...(given ?? config).origin, reason, kind })
  }
  if (given) readAll(given, criteria, tell)
  for (const unread of config.unread()) notes.push({ ...unread, kind: 'lost' })
  return { criteria, notes, shown: inWords(criteria) }
}

type Tell = (kind: Note['kind'], reason: string) => void

function readAll(given: Source, criteria: Criteria, tell: Tell): void {
  for (const name of Object.keys(isRecord(given.value) ? given.value : {})) {
    const settings = isRecord((given.value as Record<string, unknown>)[name]) ? given.object(name) : undefined
    const threshold = settings ? settings.number('threshold') : given.number(name)
    if (threshold === undefined && !settings) continue
    if (threshold !== undefined && threshold <= 0) {
      tell('note', `the criterion ${name} has the threshold 0: it cannot fail, and is left out`)
      settings?.take()
      continue
    }
    readOne(name, threshold ?? 1, settings, criteria, tell)
  }
}

function readOne(name: string, threshold: number, settings: Source | undefined, criteria: Criteria, tell: Tell): void {
  switch (name) {
    case 'tool_trajectory_avg_score': {
      const type = settings?.text('match_type') ?? 'EXACT'
      criteria.trajectory = MATCH[type]
      if (criteria.trajectory === undefined) tell('lost', `tool_trajectory_avg_score: the match type ${type}`)
      if (threshold < 1)
        tell(
          'stricter',
          `tool_trajectory_avg_score: the calls of every turn must match; ADK wants ${threshold} on average`,
        )
      return
    }
    case 'response_match_score':
      criteria.words = threshold
      return
    case 'final_response_match_v2':
      settings?.idle('judge_model_options')
      criteria.isJudged = true
      return
    case 'rubric_based_final_response_quality_v1':
      settings?.idle('judge_model_options')
      criteria.rubrics.push(...(settings?.list('rubrics') ?? []).flatMap(rubricText))
      if (threshold < 1) tell('stricter', `${name}: every rubric must hold; ADK wants ${threshold} on average`)
      return
    default:
      settings?.take()
      tell('lost', `the criterion ${name}`)
  }
}

function rubricText(rubric: Source): string[] {
  rubric.idle('rubric_id', 'type', 'description')
  const text = rubric.object('rubric_content')?.text('text_property')
  return text ? [text] : []
}

function inWords({ trajectory, words, isJudged }: Criteria): string {
  const parts = [
    trajectory && `tools by name, order and the arguments that are named (${trajectory})`,
    words !== undefined && `answers by their words (${words})`,
    isJudged && 'answers by a judge',
  ].filter((part) => typeof part === 'string')
  return `compared: ${parts.length === 0 ? 'nothing' : parts.join(', ')}`
}
