// What changed in the workspace: each file with its lines added and removed.
import type { ResultEvent } from '../../../../model/event.js'
import { isSessionFile } from '../../../../model/session.js'
import { formatCount, plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { Text } from '../text.js'
import { Section } from './section.js'
import { UnifiedDiff } from './unified-diff.js'

type FileChange = NonNullable<ResultEvent['changes']>[number]

const MOST_OPEN = 4
const LONG = 1500

export function FileChanges({ event, paper }: { event: ResultEvent; paper: boolean }) {
  const { changes = [], changes_left_out = 0, workspace, session } = event
  if (changes.length === 0) return null
  const sum = (key: 'additions' | 'deletions') => changes.reduce((total, change) => total + (change[key] ?? 0), 0)
  // What an orchestrator writes about itself is shown above, and comes last here.
  const isRecord = ({ path }: FileChange) => session !== undefined && isSessionFile(path)
  const files = changes.toSorted((a, b) => Number(isRecord(a)) - Number(isRecord(b)))
  // Sums over some of the files would be taken for those of all.
  const lines = changes_left_out > 0 ? '' : ` · +${formatCount(sum('additions'))} −${formatCount(sum('deletions'))}`
  const note = `${plural(changes.length + changes_left_out, 'file')}${lines}`
  return (
    <Section title="Files changed" note={note}>
      <ul class="file-changes">
        {files.map((change, index) => (
          <li key={change.path}>
            <File
              change={change}
              open={!isRecord(change) && (paper || (index < MOST_OPEN && (change.diff?.length ?? 0) <= LONG))}
            />
          </li>
        ))}
      </ul>
      {changes_left_out > 0 && <p class="muted">{plural(changes_left_out, 'more file')} not listed.</p>}
      {workspace && (
        <p class="muted">
          The workspace was kept: <Text value={workspace} />
        </p>
      )}
    </Section>
  )
}

function File({ change, open }: { change: FileChange; open: boolean }) {
  const { path, diff, additions, deletions } = change
  return (
    <details class="file-change" open={open}>
      <summary>
        <span class={`chip change-${change.change}`}>{visible(change.change)}</span>
        <bdi class="file-path">{visible(path)}</bdi>
        {additions !== undefined && additions > 0 && <span class="lines-added">+{formatCount(additions)}</span>}
        {deletions !== undefined && deletions > 0 && <span class="lines-removed">−{formatCount(deletions)}</span>}
      </summary>
      {diff ? (
        <UnifiedDiff text={diff} />
      ) : (
        <p class="muted">{diff === '' ? 'It is empty.' : 'No lines to compare: not text, or too different.'}</p>
      )}
    </details>
  )
}
