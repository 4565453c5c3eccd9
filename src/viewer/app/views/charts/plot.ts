// The point plot itself, on a canvas: fifty thousand points must not be fifty thousand elements.
import uPlot from 'uplot'
import type { Result } from '../../data/cases.js'
import { formatShort } from '../../text/format.js'

interface PlotHandlers {
  onNear(result: Result | undefined): void
  onPick(result: Result): void
}

const HEIGHT = 190

/** Draws into the element; returns what takes it away again. */
export function createPlot(element: HTMLElement, points: Result[], handlers: PlotHandlers): () => void {
  const colours = readColours(element)
  let near: Result | undefined
  const plot = new uPlot(
    {
      width: element.clientWidth || 400,
      height: HEIGHT,
      padding: [10, 8, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, range: (_plot, low, high) => [low - 1, high + 1] },
        y: { distr: 3, range: (_plot, low, high) => [Math.max(0.5, low * 0.7), high * 1.5] },
      },
      cursor: { y: false, drag: { x: true, y: false }, points: { show: false } },
      axes: [
        {
          stroke: colours.text,
          grid: { show: false },
          ticks: { show: false },
          size: 26,
          font: FONT,
          values: (_plot, splits) =>
            splits.map((value) => (Number.isInteger(value) && value > 0 ? formatShort(value) : '')),
        },
        {
          stroke: colours.text,
          grid: { stroke: colours.line, width: 1 },
          ticks: { show: false },
          size: 46,
          font: FONT,
          splits: (_plot, _axis, low, high) => niceDurations(low, high),
          filter: (_plot, splits) => splits,
          values: (_plot, splits) => splits.map((value) => shortDuration(value)),
        },
      ],
      series: [{}, { paths: () => null, points: { show: false } }],
      hooks: {
        draw: [(self) => drawPoints(self, points, colours)],
        setCursor: [
          (self) => {
            near = self.cursor.idx === null || self.cursor.idx === undefined ? undefined : points[self.cursor.idx]
            handlers.onNear(near)
          },
        ],
      },
    },
    [points.map((_point, index) => index + 1), points.map((point) => Math.max(0.5, point.durationMs))],
    element,
  )
  const pick = () => near && handlers.onPick(near)
  plot.over.addEventListener('click', pick)
  const observer = new ResizeObserver(() => {
    if (element.clientWidth > 0 && element.clientWidth !== plot.width)
      plot.setSize({ width: element.clientWidth, height: HEIGHT })
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    plot.destroy()
  }
}

const FONT = '11px system-ui, sans-serif'

function drawPoints(plot: uPlot, points: Result[], colours: Colours): void {
  const { ctx } = plot
  const ratio = devicePixelRatio || 1
  const size = (points.length > 5000 ? 2 : points.length > 500 ? 4 : 7) * ratio
  ctx.save()
  ctx.beginPath()
  ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height)
  ctx.clip()
  // Failures last, so that they lie on top.
  for (const status of ['passed', 'failed'] as const) {
    ctx.fillStyle = status === 'failed' ? colours.failed : colours.passed
    ctx.globalAlpha = status === 'failed' ? 1 : points.length > 5000 ? 0.35 : 0.75
    points.forEach((point, index) => {
      if ((point.status === 'failed') !== (status === 'failed')) return
      const x = plot.valToPos(index + 1, 'x', true)
      const y = plot.valToPos(Math.max(0.5, point.durationMs), 'y', true)
      if (points.length > 500) ctx.fillRect(x - size / 2, y - size / 2, size, size)
      else dot(ctx, x, y, size / 2)
    })
  }
  ctx.restore()
}

function dot(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, Math.PI * 2)
  ctx.fill()
}

interface Colours {
  text: string
  line: string
  passed: string
  failed: string
}

// A canvas knows no custom properties; a probe element resolves them, whatever the theme.
function readColours(element: HTMLElement): Colours {
  const probe = document.createElement('span')
  element.append(probe)
  const read = (name: string) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const colours = {
    text: read('--muted'),
    line: read('--line'),
    passed: read('--passed-solid'),
    failed: read('--failed-solid'),
  }
  probe.remove()
  return colours
}

/** Round durations in the range, about four of them, whatever the range spans. */
function niceDurations(low: number, high: number): number[] {
  const found = [1, 10, 100, 1000, 10_000, 60_000, 600_000, 3_600_000].filter((value) => value >= low && value <= high)
  if (found.length >= 3) return found
  const finer = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000]
  return finer.filter((value) => value >= low && value <= high)
}

function shortDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`
  return ms < 60_000 ? `${ms / 1000}s` : `${ms / 60_000}m`
}
