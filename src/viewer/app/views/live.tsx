// The live viewer: the runs of a folder, or the one run that was asked for.
import { leaveRun, offered } from '../data/runs.js'
import { source } from '../data/store.js'
import { App } from './app.js'
import { Fleet } from './fleet.js'
import { TopBar } from './header.js'
import { Help } from './help.js'
import { RunList } from './runs/run-list.js'

export function Live() {
  if (source.value !== undefined) {
    return offered.value?.single ? <App /> : <App onBack={leaveRun} />
  }
  return (
    <div class="page">
      <div class="main-column">
        <header class="top">
          <TopBar />
          <h1>Runs</h1>
        </header>
        <main>
          <Fleet />
          <RunList />
        </main>
      </div>
      <Help />
    </div>
  )
}
