// From a run to its comparison with any other of the folder.
import type { RunEntry } from '../../../../model/run-entry.js'
import { visible } from '../../../../base/hidden.js'
import { compareTwo, offered } from '../../data/runs.js'
import { viewed } from '../../data/store.js'
import { formatTime } from '../../text/format.js'

const MOST = 100

export function CompareWith() {
  const runs = offered.value?.runs ?? []
  const shown = runs.find(({ id }) => id === viewed.value)
  const others = runs.filter((run) => run !== shown && run.total !== undefined)
  if (!shown || shown.total === undefined || others.length === 0) return null
  const isAlike = (run: RunEntry) => run.agent_id === shown.agent_id && run.input === shown.input
  return (
    <label class="choice compare-with no-print">
      <span aria-hidden="true">Compare with</span>
      <select
        aria-label="Compare with"
        value=""
        onChange={({ currentTarget: { value } }) => {
          const other = others.find(({ id }) => id === value)
          if (other) compareTwo(shown, other)
        }}
      >
        <option value="">…</option>
        <Runs label="Same agent and cases" runs={others.filter(isAlike)} />
        <Runs label="Other runs" runs={others.filter((run) => !isAlike(run))} />
      </select>
    </label>
  )
}

function Runs({ label, runs }: { label: string; runs: RunEntry[] }) {
  if (runs.length === 0) return null
  return (
    <optgroup label={label}>
      {runs.slice(0, MOST).map((run) => (
        <option key={run.id} value={run.id}>
          {visible(`${formatTime(run.timestamp)} · ${run.failed ?? 0} failed · ${run.agent_id || run.input}`)}
        </option>
      ))}
    </optgroup>
  )
}
