// Starts the application: on the data in the page, or on a server that follows runs.
import { render } from 'preact'
import { openEmbeddedComparison } from './data/comparison.js'
import { openEmbedded } from './data/embedded.js'
import { startKeyboard } from './data/keyboard.js'
import { followAddress, keepAddress } from './data/navigate.js'
import { followRuns, followServedAddress } from './data/runs.js'
import { takeKey } from './data/server.js'
import { createSink, source } from './data/store.js'
import { startTheme } from './data/theme.js'
import './styles/index.css'
import { App } from './views/app.js'
import { Live } from './views/live.js'
import { Paper } from './views/print.js'

const root = document.getElementById('app')
const paper = document.getElementById('print')
const mode = document.querySelector('meta[name="viva-mode"]')?.getAttribute('content')

startTheme()
startKeyboard()
if (root) start(root)
if (paper) startPrinting(paper)

function start(element: HTMLElement): void {
  element.replaceChildren()
  keepAddress()
  if (mode === 'live') {
    takeKey()
    window.addEventListener('hashchange', () => (takeKey() ? location.reload() : followServedAddress()))
    void followRuns()
    render(<Live />, element)
    return
  }
  window.addEventListener('hashchange', followAddress)
  if (mode === 'compare') openEmbeddedComparison(document)
  else {
    source.value = openEmbedded(document)
    source.value.open(createSink())
  }
  followAddress()
  render(<App />, element)
}

// Rendered at the moment of printing, synchronously: the browser does not wait.
function startPrinting(element: HTMLElement): void {
  window.addEventListener('beforeprint', () => render(<Paper />, element))
  window.addEventListener('afterprint', () => render(null, element))
}
