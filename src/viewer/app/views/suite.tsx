// Is the suite any good? On request, what `viva mutate` says about this run.
import type { SuiteSection } from '../../../model/suite-overview.js'
import { visible } from '../../../base/hidden.js'
import { examineSuite, suiteOfRun } from '../data/suite.js'

export function Suite() {
  const now = suiteOfRun.value
  if (!now) return null
  return (
    <section class="panel suite no-print" aria-labelledby="suite-title">
      <h2 id="suite-title">Is the suite any good?</h2>
      {now.state === 'found' ? (
        'error' in now.found ? (
          <p role="status">
            <bdi>{visible(now.found.error)}</bdi>
          </p>
        ) : (
          <>
            <p class="suite-score" role="status">
              {now.found.score}
            </p>
            {now.found.sections.map((section) => (
              <Section key={section.title} section={section} rest="viva mutate lists them" />
            ))}
          </>
        )
      ) : (
        <p>
          What could an agent do worse without a failing test?{' '}
          <button type="button" class="link" disabled={now.state === 'asked'} onClick={() => void examineSuite()}>
            {now.state === 'asked' ? 'Looking…' : 'Find out (no model is called)'}
          </button>
        </p>
      )}
    </section>
  )
}

/** `rest`: where the rows are that are left out. */
export function Section({ section: { title, head, rows, more }, rest }: { section: SuiteSection; rest: string }) {
  return (
    <details open={rows.length <= 20}>
      <summary>
        {title} ({rows.length + more})
      </summary>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                <bdi>{visible(name)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Nothing in a row identifies it, and rows never move.
            <tr key={at}>
              {row.map((text, column) => (
                <td key={head[column]}>
                  <bdi>{visible(text)}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p class="muted">
          and {more} more: {rest}
        </p>
      )}
    </details>
  )
}
