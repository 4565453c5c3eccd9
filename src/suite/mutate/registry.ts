// The list of operators. A new one is a file or an export, a line here and a test.
import type { Operator } from './operator.js'
import {
  cutOff,
  empty,
  leakedPrompt,
  negation,
  otherAnswer,
  otherLanguage,
  proseAroundJson,
  refusal,
} from './operators/answer.js'
import { argumentChanged, argumentExtra, argumentMissing } from './operators/arguments.js'
import {
  callAdded,
  callDoubled,
  callDropped,
  callFailed,
  callLate,
  claimOnly,
  otherOrder,
  otherTool,
} from './operators/calls.js'
import { askedAgain, endedEarly, goalClaimed, turnSkipped, turnTooMany } from './operators/conversation.js'
import { eventDoubled, eventMissing, eventOrder } from './operators/events.js'
import { date, name, number } from './operators/facts.js'
import { fileElsewhere, fileEmpty, fileMissing } from './operators/files.js'
import { keyDoubled, keyMissing, keyType } from './operators/json-keys.js'
import { dearer, slower } from './operators/limits.js'
import { stateElsewhere, stateMissing, stateValue } from './operators/state.js'

export const OPERATORS: readonly Operator[] = [
  empty,
  cutOff,
  refusal,
  otherAnswer,
  number,
  date,
  negation,
  name,
  otherLanguage,
  leakedPrompt,
  proseAroundJson,
  keyMissing,
  keyType,
  keyDoubled,
  callDropped,
  callDoubled,
  callAdded,
  otherTool,
  otherOrder,
  argumentMissing,
  argumentChanged,
  argumentExtra,
  callFailed,
  callLate,
  claimOnly,
  turnSkipped,
  askedAgain,
  goalClaimed,
  endedEarly,
  turnTooMany,
  slower,
  dearer,
  fileMissing,
  fileEmpty,
  fileElsewhere,
  stateElsewhere,
  stateMissing,
  stateValue,
  eventMissing,
  eventDoubled,
  eventOrder,
]
