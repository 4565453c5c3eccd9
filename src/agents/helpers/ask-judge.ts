// Asks a validator agent for its verdict. What it is shown was prepared where the answer is judged.
import type { AskHelper } from '../../model/helper.js'

export interface JudgeQuestion {
  use: string
  text: string
  metadata: Record<string, unknown>
  connector?: string
  case_id: string
  signal: AbortSignal
}

/** The judge's raw answer, structured or text. */
export function askJudge(ask: AskHelper, question: JudgeQuestion): Promise<unknown> {
  const { use, text, metadata, connector, case_id, signal } = question
  return ask({
    role: 'validator',
    use,
    test_id: case_id,
    data: metadata,
    text,
    signal,
    ...(connector === undefined ? {} : { options: { connector } }),
  })
}
