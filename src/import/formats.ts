// The kinds of files that can be imported. A new one is a reader in `formats/` and a row here.
import { ADK } from './formats/adk.js'
import { BFCL } from './formats/bfcl.js'
import { CHAT, OPENAI_SAMPLES } from './formats/chat.js'
import {
  AZURE,
  BRAINTRUST,
  LANGFUSE,
  LANGFUSE_TRACES,
  LANGSMITH,
  LANGSMITH_RUNS,
  OPENAI_ITEMS,
} from './formats/datasets.js'
import { DEEPEVAL } from './formats/deepeval.js'
import { INSPECT } from './formats/inspect.js'
import { OTLP } from './formats/otlp.js'
import { ATIF, CLAUDE_SESSION, CODEX_SESSION } from './formats/sessions.js'
import { SKILL_EVALS } from './formats/skill-evals.js'
import { TABLE } from './formats/table.js'
import { TAU2_RUNS, TAU2_TASKS, TAU_RUNS, TAU_TASKS } from './formats/tau.js'
import type { Format } from './format.js'
import { PROMPTFOO } from './promptfoo/suite.js'

export const FORMATS: readonly Format[] = [
  PROMPTFOO,
  TAU_TASKS,
  TAU_RUNS,
  TAU2_TASKS,
  TAU2_RUNS,
  BFCL,
  SKILL_EVALS,
  CLAUDE_SESSION,
  CODEX_SESSION,
  OTLP,
  LANGSMITH,
  LANGSMITH_RUNS,
  LANGFUSE,
  LANGFUSE_TRACES,
  BRAINTRUST,
  ADK,
  OPENAI_SAMPLES,
  OPENAI_ITEMS,
  AZURE,
  ATIF,
  INSPECT,
  DEEPEVAL,
  CHAT,
  TABLE,
]
