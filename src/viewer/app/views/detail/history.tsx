// How this case fared in earlier runs. Only the live viewer knows them.
import { useEffect, useState } from 'preact/hooks'
import type { HistoryPoint } from '../../../../model/run-entry.js'
import type { CaseName } from '../../../../model/run-key.js'
import { source, start } from '../../data/store.js'
import { formatDuration } from '../../../../base/duration.js'
import { plural } from '../../../../base/format.js'
import { formatTime } from '../../text/format.js'
import { Section } from './section.js'

export function History({ name: { id, variant } }: { name: CaseName }) {
  const [points, setPoints] = useState<HistoryPoint[]>([])
  useEffect(() => {
    let wanted = true
    void source.value
      ?.history?.({ id, variant })
      .then((found) => wanted && setPoints(found))
      .catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [id, variant])
  if (points.length < 2) return null
  const longest = Math.max(1, ...points.map((point) => point.duration_ms))
  return (
    <Section title="Trend" note={`${plural(points.length, 'run')} of this case`}>
      <ol class="trend">
        {points.map((point) => (
          <li
            key={point.run_id}
            class={`trend-bar status-${point.status}${point.run_id === start.value?.run_id ? ' now' : ''}`}
            title={describe(point)}
          >
            <span class="trend-fill" style={{ height: `${Math.max(6, (point.duration_ms / longest) * 100)}%` }} />
            <span class="sr-only">{describe(point)}</span>
          </li>
        ))}
      </ol>
      <p class="muted">Oldest to newest; the height is the duration.</p>
    </Section>
  )
}

function describe(point: HistoryPoint): string {
  return `${formatTime(point.timestamp)}: ${point.status}, ${formatDuration(point.duration_ms)}`
}
