// The hash that verdicts of the same judge, model, prompt and criterion share.
import { hash } from 'node:crypto'
import { canonicalJson } from '../../base/json/canonical-json.js'
import type { IdentifiedJudge } from '../../model/assertion.js'
import type { JudgeEntry, JudgeIdentity, JudgeQuestionSpec } from '../../model/judge.js'

export interface NamedJudge {
  use?: string
  connector?: string
  /** Of the case file: paths are relative to it. */
  dir?: string | undefined
  agentDir?: string | undefined
}

export interface Judges {
  /** Who it is, before anything that is tested runs. */
  settle(judge: NamedJudge): Promise<void>
  identify(judge: NamedJudge, question: JudgeQuestionSpec): Promise<IdentifiedJudge>
}

export function judgeEntryOf(identity: JudgeIdentity, question: JudgeQuestionSpec): JudgeEntry {
  const criterion = shortHash(question)
  const { id, model, made_of } = identity
  return {
    id,
    ...(model !== undefined && { model }),
    criterion,
    ...(typeof question.threshold === 'number' && { threshold: question.threshold }),
    hash: shortHash({ id, model: model ?? null, made_of, criterion }),
  }
}

export function shortHash(value: unknown): string {
  return hash('sha256', canonicalJson(value)).slice(0, 16)
}
