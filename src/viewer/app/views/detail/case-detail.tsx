// Everything about one result, most important first: why it failed, what was said, what was checked.
import { caseTitle } from '../../../../model/run-key.js'
import type { ResultEvent } from '../../../../model/event.js'
import { helpersText } from '../../../../model/helper-cost.js'
import type { Case } from '../../data/cases.js'
import { formatDuration } from '../../../../base/duration.js'
import { formatSpent, formatCount, plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { start } from '../../data/store.js'
import { firstFailure } from '../../text/failure.js'
import { endingSentence } from '../../../../pipeline/report/step-words.js'
import { rerunCommand } from '../../../../model/rerun-command.js'
import { isNotShown } from '../../../../model/status.js'
import { CopyButton } from '../copy-button.js'
import { StatusPill } from '../icons.js'
import { LongText, Text } from '../text.js'
import { Transcript } from '../transcript/transcript.js'
import { CaseActions } from './actions.js'
import { AssertionList } from './assertions.js'
import { Attempts, Lines, Warnings } from './background.js'
import { Checkpoints } from './checkpoints.js'
import { FileChanges } from './file-changes.js'
import { Explained } from './explained.js'
import { CaseFailure } from './failure.js'
import { History } from './history.js'
import { ScriptFailure } from './script-test.js'
import { Section } from './section.js'
import { StateChanges } from './state-changes.js'
import { StabilityFacts } from './stability-facts.js'
import { Timeline } from './timeline.js'

interface Props {
  item: Case
  event: ResultEvent
  /** On paper everything is open, and the background is left out. */
  paper?: boolean
  /** Beside the same case of another run: the case is named once, above both. */
  bare?: boolean
  /** Below the answers of all variants, which name the case. */
  ofVariant?: boolean
}

export function CaseDetail({ item, event, paper = false, bare = false, ofVariant = false }: Props) {
  const script = event.script !== undefined || event.script_path !== undefined
  const told = script ? undefined : firstFailure(event)?.item
  return (
    <article class="case-detail">
      {bare ? <Facts event={event} /> : <CaseTitle event={event} ofVariant={ofVariant} />}
      {script ? <ScriptFailure event={event} /> : <CaseFailure event={event} />}
      <Explained event={event} />
      <Warnings items={event.warnings} />
      {event.checkpoints && event.checkpoints.length > 0 && <Checkpoints event={event} />}
      {!script && <Transcript event={event} linked={!paper && !bare} paper={paper} />}
      {event.session && <Timeline session={event.session} turns={event.total_turns ?? 1} />}
      <FileChanges event={event} paper={paper} />
      {event.state && <StateChanges state={event.state} />}
      {event.assertions && event.assertions.length > (event.assertion ? 1 : 0) && (
        <AssertionList title="Assertions" items={event.assertions} told={told} evidence={event} />
      )}
      {event.final_assertions && event.final_assertions.length > 0 && (
        <AssertionList title="Final assertions" items={event.final_assertions} told={told} evidence={event} />
      )}
      {item.stability && <StabilityFacts event={item.stability} />}
      <Attempts event={event} />
      {event.logs && event.logs.length > 0 && (
        <Lines title="Logs" lines={event.logs} dropped={event.logs_dropped} open={script} />
      )}
      {event.stderr && <Lines title="Standard error" lines={event.stderr.split('\n')} />}
      {!paper && !bare && <History name={event} />}
      {!paper && (
        <Section title="Whole result" note="JSON" closed>
          <LongText value={JSON.stringify(event, null, 2)} mono />
        </Section>
      )}
    </article>
  )
}

function CaseTitle({ event, ofVariant }: { event: ResultEvent; ofVariant: boolean }) {
  return (
    <header class="case-title">
      <div class="case-title-top">
        <span class="case-id">
          <bdi>{visible(ofVariant ? (event.variant ?? '') : caseTitle(event))}</bdi>
        </span>
        <StatusPill mark={isNotShown(event) ? 'not_shown' : event.status} />
        {event.flaky && <StatusPill mark="flaky" />}
      </div>
      {event.name && !ofVariant && (
        <h2>
          <Text value={event.name} />
        </h2>
      )}
      <Facts event={event} />
      <Rerun event={event} />
      <CaseActions event={event} />
    </header>
  )
}

function Facts({ event }: { event: ResultEvent }) {
  const facts = [
    event.status === 'skipped' ? '' : formatDuration(event.duration_ms),
    event.first_chunk_ms === undefined ? '' : `first words after ${formatDuration(event.first_chunk_ms)}`,
    event.total_turns ? plural(event.total_turns, 'turn') : '',
    event.attempts && event.attempts > 1 ? plural(event.attempts, 'attempt') : '',
    event.usage ? `${formatCount(event.usage.total_tokens)} tokens` : '',
    event.cost_dollars === undefined ? '' : formatSpent(event.cost_dollars, event.cost_estimated),
    helpersOf(event),
    event.score === undefined ? '' : `score ${Number(event.score.toFixed(3))}${minScore(event)}`,
    endingSentence(event.finish_reason) ?? '',
    event.exit_code === undefined ? '' : `exit code ${event.exit_code}`,
    event.simulator ? `simulator ${event.simulator}` : '',
    placeOf(event),
  ].filter(Boolean)
  return (
    <>
      <p class="case-facts">
        {facts.map((fact) => (
          <span key={fact}>{visible(fact)}</span>
        ))}
      </p>
      {event.tags && event.tags.length > 0 && (
        <p class="tags">
          {event.tags.map((tag) => (
            <span class="tag" key={tag}>
              {visible(tag)}
            </span>
          ))}
        </p>
      )}
      {event.status === 'skipped' && (
        <p class="notice">
          {isNotShown(event) ? 'Not shown' : 'Skipped'}: <Text value={event.skip_reason ?? 'no reason given'} />
        </p>
      )}
    </>
  )
}

function Rerun({ event }: { event: ResultEvent }) {
  const command = start.value && rerunCommand(start.value, [event])
  if (!command) return null
  return (
    <p class="rerun no-print">
      <code tabIndex={0}>{command}</code>
      <CopyButton key={command} glyph="copy" label="Copy the command that runs this case again" text={() => command} />
    </p>
  )
}

function helpersOf({ helpers }: ResultEvent): string {
  const text = helpersText(helpers)
  return text === undefined ? '' : `helpers ${text}`
}

function placeOf({ file, script_path = file, line }: ResultEvent): string {
  return script_path === undefined ? '' : `${script_path}${line ? `:${line}` : ''}`
}

function minScore(event: ResultEvent): string {
  return event.min_score === undefined ? '' : ` (needs ${event.min_score})`
}
