// Run again: the failed cases, or the open one. Only where `viva view --allow-run` offers it, never in a report.
import { canRerun, canStop, failedIds, isRerunning, rerun, rerunError, stopRerun } from '../data/rerun.js'
import { plural } from '../../../base/format.js'
import { Glyph } from './icons.js'
import { Text } from './text.js'

export function RerunFailed() {
  const ids = failedIds.value
  return (
    <>
      {canStop.value && (
        <button type="button" class="ghost framed" onClick={stopRerun}>
          Stop
        </button>
      )}
      {canRerun.value && ids.length > 0 && (
        <button type="button" class="ghost framed" disabled={isRerunning.value} onClick={() => void rerun(ids)}>
          <Glyph name="again" /> Run {plural(ids.length, 'failed case')} again
        </button>
      )}
    </>
  )
}

export function RerunCase({ id }: { id: string }) {
  if (!canRerun.value) return null
  return (
    <button type="button" class="ghost framed" disabled={isRerunning.value} onClick={() => void rerun([id])}>
      <Glyph name="again" /> Run again
    </button>
  )
}

export function RerunError() {
  if (!rerunError.value) return null
  return (
    <p class="notice" role="alert">
      <Text value={rerunError.value} />
    </p>
  )
}
