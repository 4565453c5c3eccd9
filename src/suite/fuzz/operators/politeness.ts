// A greeting before and thanks after.
import { pick } from '../free-text.js'
import { onOneText, type Operator } from '../operator.js'
import { addedAfter, isLongEnough } from './added.js'

export const politeness: Operator = {
  name: 'politeness',
  summary: 'a greeting or thanks are added',
  change: onOneText((said, random, { vocabulary }) => {
    if (!said.isEnglish || !isLongEnough(said)) return []
    const before = pick(BEFORE, random) ?? ''
    const after = pick(AFTER, random) ?? ''
    const { text } = said.free
    const isGreeted = /^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b/i.test(text)
    const isThanked = /\bthank/.test(vocabulary)
    return [...(isGreeted ? [] : [{ start: 0, end: 0, text: before }]), ...(isThanked ? [] : addedAfter(said, after))]
  }),
}

const BEFORE = [
  'Hello! ',
  'Hi there. ',
  'Good morning! ',
  'Dear team, ',
  'Hello, I hope you are well. ',
  'Excuse me for bothering you. ',
]

const AFTER = [
  'Thank you!',
  'Thanks a lot in advance.',
  'Many thanks for your help!',
  'Have a nice day.',
  'Kind regards',
]
