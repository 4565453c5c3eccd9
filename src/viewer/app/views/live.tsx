// The live viewer: the runs of a folder, or the one run that was asked for.
import type { RunEntry } from '../../../model/run-entry.js'
import { leaveRun, offered, trouble, viewRun } from '../data/runs.js'
import { source } from '../data/store.js'
import { theme, toggleTheme } from '../data/theme.js'
import { formatDuration } from '../../../base/duration.js'
import { formatCost, plural } from '../../../base/format.js'
import { formatTime } from '../text/format.js'
import { visible } from '../../../base/hidden.js'
import { App } from './app.js'
import { Glyph, Logo, StatusPill } from './icons.js'

export function Live() {
  if (source.value !== undefined) {
    return offered.value?.single ? <App /> : <App onBack={leaveRun} />
  }
  return (
    <div class="page">
      <div class="main-column">
        <header class="top">
          <div class="top-bar">
            <span class="brand">
              <Logo />
              <span>viva</span>
            </span>
            <div class="tools">
              <button type="button" class="ghost" onClick={toggleTheme}>
                <Glyph name={theme.value === 'dark' ? 'sun' : 'moon'} />
                <span class="sr-only">{theme.value === 'dark' ? 'Switch to light' : 'Switch to dark'}</span>
              </button>
            </div>
          </div>
          <h1>Runs</h1>
        </header>
        <main>
          <RunList />
        </main>
      </div>
    </div>
  )
}

function RunList() {
  const runs = offered.value?.runs
  if (trouble.value === 'refused')
    return <p class="notice">This page has no key for the viewer. Open the address that viva view printed.</p>
  if (trouble.value === 'lost') return <p class="notice">The viewer’s server is gone. Start viva view again.</p>
  if (!runs) return <p class="loading">Looking for runs…</p>
  if (runs.length === 0) return <p class="loading">No runs here yet. This page shows them as they start.</p>
  return (
    <ul class="run-list">
      {runs.map((run) => (
        <li key={run.id}>
          <button type="button" class="run-card" onClick={() => viewRun(run.id)}>
            <Verdict run={run} />
            <span class="run-card-title">
              <bdi>{visible(run.agent_id || run.input)}</bdi>
            </span>
            <span class="muted">{formatTime(run.timestamp)}</span>
            <span class="run-card-facts">
              {visible(
                [
                  run.input,
                  run.connector,
                  run.total === undefined ? undefined : plural(run.total, 'case'),
                  run.duration_ms === undefined ? undefined : formatDuration(run.duration_ms),
                  run.cost_dollars === undefined ? undefined : formatCost(run.cost_dollars),
                  run.file,
                ]
                  .filter(Boolean)
                  .join(' · '),
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Verdict({ run }: { run: RunEntry }) {
  if (run.exit_code === undefined) return <StatusPill mark="running" text="No end yet" />
  if ((run.failed ?? 0) > 0) return <StatusPill mark="failed" text={`${run.failed} failed`} />
  if (run.undetermined) return <StatusPill mark="undetermined" text={`${run.undetermined} undetermined`} />
  if (run.exit_code > 1) return <StatusPill mark="error" text="Run error" />
  if (run.exit_code === 1) return <StatusPill mark="error" text="Not green" />
  return <StatusPill mark="passed" text="Passed" />
}
