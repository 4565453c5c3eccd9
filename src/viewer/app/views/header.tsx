// The top of the page: what was tested, how it ended, and the tools.
import { SEE_DETAILS } from '../../../model/see-details.js'
import type { StartEvent, SummaryEvent } from '../../../model/event.js'
import { cellText } from '../../../model/result-row.js'
import {
  errors,
  helpOpen,
  opened,
  running,
  source,
  sourceState,
  start,
  summary,
  totals,
  variantNames,
} from '../data/store.js'
import { offered } from '../data/runs.js'
import { linkWithKey } from '../data/server.js'
import { theme, toggleTheme } from '../data/theme.js'
import { formatDuration } from '../../../base/duration.js'
import { formatCount, plural } from '../../../base/format.js'
import { formatTime } from '../text/format.js'
import { visible } from '../../../base/hidden.js'
import { CopyButton } from './copy-button.js'
import { KeyForm } from './key-form.js'
import { RerunError, RerunFailed } from './rerun.js'
import { CompareWith } from './runs/compare-with.js'
import { Glyph, Logo, StatusPill } from './icons.js'
import { LongText, Text } from './text.js'

export function Header({ onBack }: { onBack?: (() => void) | undefined }) {
  const event = start.value
  return (
    <header class="top">
      <TopBar onBack={onBack} />
      <div class="headline">
        <h1>
          <Text value={cellText(titleOf(event), 160)} />
        </h1>
        <Verdict />
        <RerunFailed />
        <CompareWith />
      </div>
      <RerunError />
      {event && (
        <ul class="facts">
          {event.connector && !event.variants && <Fact label="Connector" value={event.connector} />}
          <Fact label={event.mode === 'script_test' ? 'Script tests' : 'Input'} value={event.script ?? event.input} />
          <Fact label="Started" value={formatTime(event.timestamp)} />
          {event.runs_per_case !== 1 && <Fact label="Runs per case" value={String(event.runs_per_case)} />}
          {event.environment?.locale && <Fact label="Locale" value={event.environment.locale} />}
          {summary.value?.without && <Fact label="Tested without" value={summary.value.without.join(', ')} />}
          <Fact label="Viva" value={event.version} />
        </ul>
      )}
      <Running />
      <Problems />
    </header>
  )
}

function titleOf(event: StartEvent | undefined): string {
  if (event?.variants) return `${event.variants.length} variants side by side`
  return event?.agent_id || event?.script || event?.input || 'Viva report'
}

export function TopBar({ onBack }: { onBack?: (() => void) | undefined }) {
  return (
    <div class="top-bar">
      {onBack ? (
        <button type="button" class="brand as-link" onClick={onBack}>
          <Logo />
          <span>viva</span>
          <span class="crumb">/ all runs</span>
        </button>
      ) : (
        <span class="brand">
          <Logo />
          <span>viva</span>
        </span>
      )}
      <div class="tools no-print">
        {offered.value && <CopyButton glyph="link" label="Copy a link to this page" text={linkWithKey} />}
        <button type="button" class="ghost" onClick={() => toggleTheme()}>
          <Glyph name={theme.value === 'dark' ? 'sun' : 'moon'} />
          <span class="sr-only">{theme.value === 'dark' ? 'Switch to light' : 'Switch to dark'}</span>
        </button>
        <button type="button" class="ghost" onClick={() => (helpOpen.value = true)}>
          <span aria-hidden="true" class="key-hint">
            ?
          </span>
          <span class="sr-only">Keyboard help</span>
        </button>
      </div>
    </div>
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <li>
      <span class="muted">{label}</span> <bdi>{visible(cellText(value, 120))}</bdi>
    </li>
  )
}

function Verdict() {
  const { failed, undetermined, notShown, passed, flaky, total, notRun } = totals.value
  if (source.value?.live && sourceState.value === 'following' && !summary.value)
    return <StatusPill mark="running" text="Running" />
  if (failed > 0)
    return (
      <StatusPill
        mark="failed"
        text={`${formatCount(failed)} ${variantNames.value.length > 0 ? `of ${formatCount(total)} ` : ''}failed`}
      />
    )
  if (sourceState.value !== 'loading' && !summary.value) return <StatusPill mark="error" text="Incomplete run" />
  if (summary.value?.interrupted) return <StatusPill mark="error" text="Interrupted" />
  if (total === 0) return <StatusPill mark="skipped" text="No results" />
  if (notShown > 0) return <StatusPill mark="not_shown" text={`${formatCount(notShown)} not shown`} />
  if (undetermined > 0) return <StatusPill mark="undetermined" text={`${formatCount(undetermined)} undetermined`} />
  if (notRun > 0) return <StatusPill mark="error" text={`${formatCount(notRun)} not run`} />
  if ((summary.value?.exit_code ?? 0) > 1) return <StatusPill mark="error" text="Run error" />
  if (passed === 0) return <StatusPill mark="skipped" text="Nothing shown" />
  if (summary.value?.exit_code === 1) return <StatusPill mark="error" text="Not green" />
  return flaky > 0 ? <StatusPill mark="flaky" text="Passed, flaky" /> : <StatusPill mark="passed" text="All passed" />
}

function Running() {
  if (!source.value?.live || summary.value) return null
  const cases = start.value?.total_cases
  const expected = cases === undefined ? undefined : cases * Math.max(1, variantNames.value.length)
  const done = totals.value.total
  return (
    <div class="running" role="status">
      {expected !== undefined && (
        <progress max={expected} value={Math.min(done, expected)} aria-label="Cases finished">
          {done}
        </progress>
      )}
      <span>
        {expected === undefined ? plural(done, 'case') : `${formatCount(done)} of ${plural(expected, 'case')}`} finished
      </span>
      {running.value.slice(0, 6).map((id) => (
        <span class="chip running-chip" key={id}>
          <bdi>{visible(id)}</bdi>
        </span>
      ))}
      {running.value.length > 6 && <span class="muted">and {running.value.length - 6} more</span>}
    </div>
  )
}

function Problems() {
  const reasons = summary.value?.reasons ?? []
  const items = [
    ...errors.value.map((event) => `${event.where}: ${event.message}`),
    ...(summary.value?.report_errors ?? []),
  ]
  const cutOff = sourceState.value === 'ended' && !summary.value && start.value
  return (
    <>
      {sourceState.value === 'lost' && <Notice text="The viewer's server is gone: what you see is what had arrived." />}
      {sourceState.value === 'refused' && <KeyForm />}
      {cutOff && (
        <Notice text="The run was cut off: it wrote no summary. The results below are complete up to there." />
      )}
      {summary.value?.interrupted && (
        <Notice text={`The run was interrupted after ${formatDuration(summary.value.duration_ms)}.`} />
      )}
      {/* Failed cases speak for themselves. */}
      {(totals.value.failed === 0 || reasons.length > 1) &&
        (summary.value?.exit_code ?? 0) > 0 &&
        reasons.map((text) => <Notice key={text} text={text} />)}
      {items.length > 0 && (
        <details class="notice">
          <summary>{plural(items.length, 'error')} outside any case</summary>
          <ul>
            {items.map((text) => (
              <li key={text}>
                <LongText value={text} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {/* Assertions that failed are below, each with what it found. */}
      {summary.value?.suggestion && isTelling(summary.value) && opened.value === undefined && (
        <div class="suggestion">
          <LongText value={summary.value.suggestion} />
        </div>
      )}
    </>
  )
}

function isTelling({ suggestion }: SummaryEvent): boolean {
  return suggestion !== SEE_DETAILS
}

function Notice({ text }: { text: string }) {
  return (
    <div class="notice" role="status">
      <LongText value={text} />
    </div>
  )
}
