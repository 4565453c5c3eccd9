// Failures that say nothing about the answer: time, simulator, judge, scripts, hooks, input; and cases that were not shown.
import { show } from '../../../../base/text.js'
import type { ErrorKind } from '../../../../model/status.js'
import type { Facts, Found, Rule } from '../facts.js'

function of(kind: ErrorKind | 'not_shown', id: string, find: (facts: Facts) => Found | undefined): Rule {
  return { id, find: (facts) => (facts.wrong.kind === kind ? find(facts) : undefined) }
}

export const TROUBLE_RULES: readonly Rule[] = [
  {
    id: 'injected-fault',
    find: ({ result, wrong }) => {
      const [fault] = result.faults ?? []
      if (!fault || wrong.kind === 'assertion' || wrong.kind === 'not_shown') return undefined
      return {
        certainty: 'likely',
        cause: `--chaos injected ${fault.fault} into call ${fault.call} of ${fault.role}`,
        try: ['if the agent should survive that, let it retry; the same --chaos seed injects it again'],
      }
    },
  },
  of('timeout', 'timeout-in-checks', ({ result, message }) => {
    const isAnswered =
      result.turns === undefined ? result.output !== undefined : result.turns.every((turn) => turn.status === 'passed')
    if (!isAnswered) return undefined
    return {
      headline: `the agent answered, but its checks did not end in time: ${message}`,
      certainty: 'likely',
      cause: 'a judge or a script is slow',
      try: [
        'look where the time went: viva view latest',
        'raise the timeout of the case if the check is right to be slow',
      ],
    }
  }),
  of('timeout', 'timeout', ({ result, message, wrong }) => {
    const limit = /^timeout after (\S+)/.exec(message)?.[1]
    const [last] = (result.trace ?? []).slice(-1)
    const doing = last === undefined ? '' : `; its last step was ${last.kind} ${last.name}`
    const when = wrong.turn && (result.turns?.length ?? 0) > 1 ? ` in turn ${wrong.turn.turn}` : ''
    return {
      headline: limit === undefined ? message : `the agent did not answer within ${limit}${when}${doing}`,
      certainty: 'cannot tell',
      try: [
        'look where the time went: viva view latest shows each step',
        'raise the timeout of the case, or --timeout, if the agent is right to be slow',
      ],
    }
  }),
  of('simulator', 'simulator', ({ message }) => ({
    headline: `the simulated user failed, not the agent: ${message}`,
    certainty: 'certain',
    cause: 'the simulator could not say the next message',
    try: ['check the simulator of the case and its model'],
  })),
  of('validator', 'judge-without-model', ({ message }) =>
    /no connector|has no model|NO_HELPER|helpers\.connector|no judge/i.test(message)
      ? {
          headline: `the judge has no model: ${message}`,
          certainty: 'certain',
          cause: 'no model is set for judges',
          try: ['set helpers.connector in viva.config, or give --judge'],
        }
      : undefined,
  ),
  of('validator', 'judge-form', ({ message }) =>
    /invalid response format|does not end with|words follow the verdict|nonce|valid verdict/.test(message)
      ? {
          headline: `the judge gave no verdict: ${message}`,
          certainty: 'certain',
          cause: 'the judge did not answer in the form that is asked of it',
          try: ['use a stronger model for the judge (helpers.connector, --judge)'],
        }
      : undefined,
  ),
  of('validator', 'judge', ({ message }) => ({
    headline: `the judge gave no verdict: ${message}`,
    certainty: 'certain',
    cause: 'the judge failed, not the agent',
    try: ['check the judge and its model'],
  })),
  of('hook', 'hook', ({ message }) => ({
    headline: message,
    certainty: 'certain',
    cause: 'the hook failed, so the agent was not called',
    try: ['fix the hook: the stack names its line'],
  })),
  of('script', 'script', ({ message, wrong }) => ({
    headline: wrong.assertion ? `the check script failed: ${message}` : message,
    certainty: 'certain',
    cause: wrong.assertion ? 'the script threw, so nothing was checked' : 'the test threw an exception',
    try: ['fix the line that the stack names'],
  })),
  of('input', 'new-snapshot', ({ message }) =>
    /snapshot/.test(message)
      ? {
          certainty: 'certain',
          cause: 'no answer has been accepted yet for this case',
          try: ['review the answer, then accept it: viva snapshot review'],
        }
      : undefined,
  ),
  of('input', 'missing-input', ({ message, result }) => {
    const asked = result.turns?.at(-1)?.question
    if (!/no next turn|no initial input|awaiting input|without input/i.test(message)) return undefined
    return {
      ...(asked !== undefined && { headline: `the agent asked ${show(asked, 120)}, and the case has no next input` }),
      certainty: 'certain',
      cause: 'the conversation needs an input that the case does not have',
      try: ['add a turn, a simulator, or on_missing_input'],
    }
  }),
  of('input', 'input', ({ wrong }) => ({
    certainty: 'certain',
    cause: wrong.assertion ? 'the check could not be carried out as written' : 'the case cannot be used as written',
    try: ['correct the case: the error names the field or file'],
  })),
  of('crashed', 'crashed', ({ message }) => ({
    headline: `the agent's process ended before it answered: ${message}`,
    certainty: 'cannot tell',
    try: [
      'look at its last output: viva view latest',
      'run this case alone: another one may have ended the shared process',
    ],
  })),
  of('not_shown', 'lost-in-import', ({ message, result }) =>
    result.skip === true
      ? {
          headline: `not shown: ${message}`,
          certainty: 'certain',
          cause: 'the import could not carry over all of the case',
          try: ['IMPORT.md says what is missing: add it, and remove skip'],
        }
      : undefined,
  ),
  of('not_shown', 'not-shown', ({ message, result }) => {
    const asked = result.turns?.at(-1)?.question
    return {
      headline:
        asked === undefined
          ? `not shown: ${message}`
          : `the agent asked ${show(asked, 120)}, and the case has no next input`,
      certainty: 'certain',
      cause: 'the conversation stopped before its checks were reached',
      try: ['add a turn or a simulator that answers', 'set on_missing_input if the skip is meant'],
    }
  }),
]
