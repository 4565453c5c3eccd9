// The page of one run.
import { comparison, opened, totals, variantNames } from '../data/store.js'
import { Charts } from './charts/charts.js'
import { Choices } from './choices.js'
import { ComparedHeader, ComparedOverview } from './compare/overview.js'
import { Panel } from './detail/panel.js'
import { Failures } from './failures.js'
import { FleetOfRun } from './fleet.js'
import { Header } from './header.js'
import { Help } from './help.js'
import { RunTrend } from './runs/trend.js'
import { Suite } from './suite.js'
import { Corrected, Summary } from './summary.js'
import { Table } from './table.js'
import { Toolbar } from './toolbar.js'
import { Variants } from './variants/variants.js'

export function App({ onBack }: { onBack?: () => void }) {
  return (
    <div class={`page${opened.value ? ' has-detail' : ''}`}>
      <div class="main-column">
        {comparison.value ? <ComparedHeader onBack={onBack} /> : <Header onBack={onBack} />}
        <main>
          {comparison.value ? (
            <ComparedOverview />
          ) : (
            <>
              {variantNames.value.length > 0 ? <Variants /> : <Summary />}
              {variantNames.value.length > 0 && <Corrected />}
              <Choices />
              <FleetOfRun />
              <Failures />
              <RunTrend />
              <Charts />
              <Suite />
            </>
          )}
          <div class="cases" data-count={totals.value.results}>
            <div class="sticky" ref={measureToolbar}>
              <Toolbar />
            </div>
            <Table />
          </div>
        </main>
      </div>
      <Panel />
      <Help />
    </div>
  )
}

/** The table's head sticks below the toolbar, whose height depends on how its parts wrap. */
const toolbarSize = new ResizeObserver(([entry]) => {
  const height = entry?.borderBoxSize[0]?.blockSize ?? 0
  document.documentElement.style.setProperty('--toolbar-height', `${height}px`)
})

function measureToolbar(element: Element | null): void {
  toolbarSize.disconnect()
  if (element) toolbarSize.observe(element)
}
