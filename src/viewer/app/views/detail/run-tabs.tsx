// The runs of one case, to switch between.
import type { Case } from '../../data/cases.js'
import { formatDuration } from '../../../../base/duration.js'
import { StatusIcon } from '../icons.js'

export function RunTabs({ item, run, onPick }: { item: Case; run: number; onPick: (run: number) => void }) {
  return (
    <div class="run-tabs no-print" role="group" aria-label="Runs">
      {item.results
        .toSorted((a, b) => a.run - b.run)
        .map((result) => (
          <button type="button" key={result.run} aria-pressed={result.run === run} onClick={() => onPick(result.run)}>
            <StatusIcon mark={result.status} />
            <span>Run {result.run}</span>
            <span class="muted">{formatDuration(result.durationMs)}</span>
          </button>
        ))}
    </div>
  )
}
