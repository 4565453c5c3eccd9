import { expect, test } from 'vitest'
import { formatCost as inReports, formatPercent as percentInReports } from '../pipeline/report/text.js'
import {
  formatCost as inViewer,
  formatDuration as durationInViewer,
  formatPercent as percentInViewer,
} from '../viewer/app/text/format.js'
import { formatDuration } from './duration.js'

// Value, on the console, in the other reports, in the viewer.
test.each([
  [100, '100.0%', '100.0%', '100%'],
  [99.999, '100.0%', '99.9%', '>99.9%'],
  [99.95, '100.0%', '99.9%', '>99.9%'],
  [99.94, '99.9%', '99.9%', '99.9%'],
  [66.666, '66.7%', '66.7%', '66.7%'],
  [50, '50.0%', '50.0%', '50%'],
  [0.06, '0.1%', '0.1%', '0.1%'],
  [0.04, '0.0%', '0.1%', '<0.1%'],
  [0, '0.0%', '0.0%', '0%'],
])('%d percent', (percent, console, reports, viewer) => {
  expect([`${percent.toFixed(1)}%`, percentInReports(percent), percentInViewer(percent)]).toEqual([
    console,
    reports,
    viewer,
  ])
})

test.each([
  [0, '$0.0000', '$0.00', '$0'],
  [0.0000001, '$0.0000', '$1.0e-7', '$1e-7'],
  [0.000123, '$0.0001', '$0.00012', '$0.00012'],
  [0.005, '$0.0050', '$0.0050', '$0.005'],
  [0.5, '$0.5000', '$0.50', '$0.5'],
  [0.999, '$0.9990', '$1.0', '$1'],
  [1.5, '$1.5000', '$1.50', '$1.50'],
  [1234.5, '$1234.5000', '$1234.50', '$1,235'],
])('%d dollars', (dollars, console, reports, viewer) => {
  expect([`$${dollars.toFixed(4)}`, inReports(dollars), inViewer(dollars)]).toEqual([console, reports, viewer])
})

test.each([
  [0, '0ms', '0ms'],
  [0.4, '0ms', '<1ms'],
  [999.6, '1000ms', '1000ms'],
  [1240, '1.2s', '1.24s'],
  [41_300, '41.3s', '41.3s'],
  [59_999, '60.0s', '60.0s'],
  [125_000, '2.1m', '2m 5s'],
  [7_500_000, '2.1h', '2h 5m'],
])('%d milliseconds', (ms, reports, viewer) => {
  expect([formatDuration(ms), durationInViewer(ms)]).toEqual([reports, viewer])
})
