// One step of a transcript, and the steps it consists of.
import type { ComponentChildren } from 'preact'
import type { AssertionResult } from '../../../../model/assertion.js'
import type { ResultEvent } from '../../../../model/event.js'
import type { Claim } from '../../../../pipeline/claims/claim.js'
import type { Step } from '../../../../pipeline/report/case-steps.js'
import { visible } from '../../../../base/hidden.js'
import { asText } from '../../../../base/text.js'
import { openStep } from '../../data/navigate.js'
import { Assertion } from '../detail/assertions.js'
import { Message } from '../detail/message.js'
import { ToolCallView } from '../detail/tool-calls.js'
import { Glyph, StatusIcon } from '../icons.js'
import { Text } from '../text.js'
import { ClaimedText } from './claims.js'
import { ModelCall } from './model-call.js'
import { Plain } from './plain.js'
import { Prompt } from './prompt.js'
import { Turn } from './turn.js'

/** What a step needs to know of the case. */
export interface Reading {
  event: ResultEvent
  /** Explained at the top of the case. */
  told: AssertionResult | undefined
  linked: boolean
  /** The step that the address names. */
  at: number | undefined
  /** Of each answer, by the number of its step; absent: they are not marked. */
  claims?: ReadonlyMap<number, Claim[]> | undefined
}

export function StepList({ steps, reading }: { steps: Step[]; reading: Reading }) {
  return (
    <ol class="steps">
      {steps.map((step) => (
        <li key={step.n} class={`step-item step-${step.kind}${reading.at === step.n ? ' step-at' : ''}`}>
          {reading.linked && <Anchor n={step.n} />}
          <StepView step={step} reading={reading} />
        </li>
      ))}
    </ol>
  )
}

/** The number of a step is its address. */
function Anchor({ n }: { n: number }) {
  return (
    <button type="button" class="step-anchor no-print" title={`Link to step ${n}`} onClick={() => openStep(n)}>
      <span class="sr-only">Link to step </span>
      {n}
    </button>
  )
}

function StepView({ step, reading }: { step: Step; reading: Reading }) {
  const { n, children } = step
  const inner = children.length > 0 && <StepList steps={children} reading={reading} />
  switch (step.kind) {
    case 'turn':
      return (
        <Turn step={step} event={reading.event}>
          {inner}
        </Turn>
      )
    case 'message':
      return (
        <Numbered n={n}>
          <Message message={step.message} />
        </Numbered>
      )
    case 'prompt':
      return <Prompt n={n} text={step.text} />
    case 'answer': {
      const claims = reading.claims?.get(n)
      return (
        <Numbered n={n}>
          {claims ? (
            <ClaimedText text={asText(step.output)} claims={claims} />
          ) : (
            <Message message={{ role: 'assistant', content: step.output }} />
          )}
        </Numbered>
      )
    }
    case 'model':
      return <ModelCall step={step} />
    case 'tool':
      return <ToolCallView n={n} call={step.call} duration={step.duration} />
    case 'check': {
      const turn = reading.event.turns?.find(({ assertions }) => assertions?.includes(step.check))
      return (
        <Numbered n={n}>
          <Assertion item={step.check} told={reading.told} evidence={turn ?? reading.event} closed={!turn} />
        </Numbered>
      )
    }
    case 'checkpoint':
      return (
        <p class="reached" data-step={n} tabIndex={-1}>
          <Glyph name="flag" /> Checkpoint <bdi class="strong">{visible(step.checkpoint.id)}</bdi>{' '}
          {step.checkpoint.passed ? 'reached' : 'failed'}
        </p>
      )
    case 'attempt':
      return (
        <p class="attempt-line" data-step={n} tabIndex={-1}>
          <StatusIcon mark={step.attempt.status} /> Attempt {step.attempt.attempt} failed:{' '}
          <Text value={step.attempt.error ?? 'no reason given'} />
        </p>
      )
    case 'hook':
    case 'delegate':
    case 'request':
    case 'span':
      return (
        <>
          <Plain step={step} />
          {inner}
        </>
      )
  }
}

function Numbered({ n, children }: { n: number; children: ComponentChildren }) {
  return (
    <div data-step={n} tabIndex={-1}>
      {children}
    </div>
  )
}
