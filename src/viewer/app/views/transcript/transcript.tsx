// Everything that was said and done in a case, in order, and beside it where the time went.
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { ResultEvent } from '../../../../model/event.js'
import { caseClaims } from '../../../../pipeline/report/case-claims.js'
import { caseSteps, flatSteps } from '../../../../pipeline/report/case-steps.js'
import { plural } from '../../../../base/format.js'
import { claimsShown, opened, prompts } from '../../data/store.js'
import { firstFailure } from '../../text/failure.js'
import { Section } from '../detail/section.js'
import { After } from './after.js'
import { ClaimsBar } from './claims.js'
import { StepList, type Reading } from './step.js'
import { Waterfall } from './waterfall.js'

interface Props {
  event: ResultEvent
  /** Its steps have addresses: it is the case that is open, and the only one shown. */
  linked: boolean
  /** On paper there is no waterfall. */
  paper?: boolean
}

export function Transcript({ event, linked, paper = false }: Props) {
  const texts = prompts.value
  const steps = useMemo(() => caseSteps(event, (id) => texts.get(id)), [event, texts])
  const flat = flatSteps(steps)
  const isMarked = claimsShown.value && !paper
  const claims = useMemo(() => (isMarked ? caseClaims(event, steps) : undefined), [event, steps, isMarked])
  const at = linked ? opened.value?.step : undefined
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (at !== undefined) show(list.current, at)
  }, [event, at])
  if (flat.length === 0) return null
  const reading: Reading = { event, told: firstFailure(event)?.item, linked, at, claims }
  return (
    <Section title="Transcript" note={noteOf(event, flat.length)}>
      <div class="transcript" ref={list}>
        {!paper && <Waterfall steps={steps} event={event} linked={linked} at={at} />}
        <div class="transcript-steps">
          {!paper && flat.some(({ kind }) => kind === 'answer') && (
            <ClaimsBar claims={claims && [...claims.values()].flat()} />
          )}
          <StepList steps={steps} reading={reading} />
          <After event={event} />
        </div>
      </div>
    </Section>
  )
}

function noteOf({ turns }: ResultEvent, steps: number): string {
  return [turns && turns.length > 0 ? plural(turns.length, 'turn') : '', plural(steps, 'step')]
    .filter(Boolean)
    .join(' · ')
}

/** The step that a link names, with the keyboard on it. */
function show(list: HTMLElement | null, n: number): void {
  const step = list?.querySelector<HTMLElement>(`[data-step="${n}"]`)
  if (!step) return
  if (step instanceof HTMLDetailsElement) step.open = true
  step.scrollIntoView({ block: 'center' })
  step.focus({ preventScroll: true })
}
