// The page of one run.
import { opened, totals } from '../data/store.js'
import { Charts } from './charts/charts.js'
import { Panel } from './detail/panel.js'
import { Header } from './header.js'
import { Help } from './help.js'
import { Summary } from './summary.js'
import { Table } from './table.js'
import { Toolbar } from './toolbar.js'

export function App({ onBack }: { onBack?: () => void }) {
  return (
    <div class={`page${opened.value ? ' has-detail' : ''}`}>
      <div class="main-column">
        <Header onBack={onBack} />
        <main>
          <Summary />
          <Charts />
          <div class="cases" data-count={totals.value.results}>
            <div class="sticky">
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
