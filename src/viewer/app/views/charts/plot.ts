// The point plot itself, on a canvas: fifty thousand points must not be fifty thousand elements.
import type { Result } from '../../data/cases.js'
import { formatShort } from '../../text/format.js'

interface PlotHandlers {
  onNear(result: Result | undefined): void
  onPick(result: Result): void
}

const HEIGHT = 190
const MARGIN = { left: 52, right: 16, top: 10, bottom: 26 }

/** Draws the points in their order, durations on a logarithmic axis. Returns a function that removes it again. */
export function createPlot(element: HTMLElement, points: Result[], handlers: PlotHandlers): () => void {
  const canvas = document.createElement('canvas')
  const cursor = document.createElement('div')
  cursor.className = 'plot-cursor'
  cursor.hidden = true
  element.replaceChildren(canvas, cursor)
  let scale = draw(canvas, element, points)
  let near: Result | undefined
  const show = (index: number | undefined) => {
    near = index === undefined ? undefined : points[index]
    cursor.hidden = near === undefined
    if (index !== undefined) cursor.style.transform = `translateX(${scale.x(index)}px)`
    canvas.style.cursor = near ? 'pointer' : ''
    handlers.onNear(near)
  }
  canvas.addEventListener('pointermove', (event) => show(scale.indexAt(event.offsetX)))
  canvas.addEventListener('pointerleave', () => show(undefined))
  canvas.addEventListener('click', () => near && handlers.onPick(near))
  const observer = new ResizeObserver(() => {
    if (element.clientWidth > 0 && element.clientWidth !== scale.width) scale = draw(canvas, element, points)
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    element.replaceChildren()
  }
}

interface Scale {
  width: number
  x(index: number): number
  y(durationMs: number): number
  indexAt(x: number): number | undefined
}

function createScale(width: number, points: Result[], low: number, high: number): Scale {
  const inner = width - MARGIN.left - MARGIN.right
  const step = inner / (points.length + 1)
  const [bottom, range] = [Math.log(low), Math.log(high) - Math.log(low)]
  const height = HEIGHT - MARGIN.top - MARGIN.bottom
  return {
    width,
    x: (index) => MARGIN.left + (index + 1) * step,
    y: (durationMs) => MARGIN.top + height * (1 - (Math.log(atLeast(durationMs)) - bottom) / range),
    indexAt(x) {
      const index = Math.round((x - MARGIN.left) / step) - 1
      return index >= -1 && index <= points.length ? Math.max(0, Math.min(points.length - 1, index)) : undefined
    },
  }
}

/** A logarithmic axis needs a lower bound. */
function atLeast(durationMs: number): number {
  return Math.max(0.5, durationMs)
}

function draw(canvas: HTMLCanvasElement, element: HTMLElement, points: Result[]): Scale {
  const ratio = devicePixelRatio || 1
  const width = element.clientWidth || 400
  canvas.width = width * ratio
  canvas.height = HEIGHT * ratio
  canvas.style.width = `${width}px`
  canvas.style.height = `${HEIGHT}px`
  let low = Infinity
  let high = 0.5
  for (const { durationMs } of points) {
    low = Math.min(low, atLeast(durationMs))
    high = Math.max(high, durationMs)
  }
  low = Math.max(0.5, low * 0.7)
  high *= 1.5
  const scale = createScale(width, points, low, high)
  const ctx = canvas.getContext('2d')
  if (!ctx || points.length === 0) return scale
  ctx.scale(ratio, ratio)
  const colours = readColours(element)
  drawAxes(ctx, scale, points.length, niceDurations(low, high), colours)
  drawPoints(ctx, scale, points, colours)
  return scale
}

function drawAxes(ctx: CanvasRenderingContext2D, scale: Scale, count: number, durations: number[], colours: Colours) {
  ctx.font = '11px system-ui, sans-serif'
  ctx.fillStyle = colours.text
  ctx.strokeStyle = colours.line
  ctx.textAlign = 'right'
  ctx.textBaseline = 'middle'
  for (const duration of durations) {
    const y = Math.round(scale.y(duration)) + 0.5
    ctx.beginPath()
    ctx.moveTo(MARGIN.left, y)
    ctx.lineTo(scale.width - MARGIN.right, y)
    ctx.stroke()
    ctx.fillText(shortDuration(duration), MARGIN.left - 6, y)
  }
  ctx.textAlign = 'center'
  const step = niceStep(count / Math.max(2, (scale.width - MARGIN.left) / 60))
  for (let number = step; number <= count; number += step) {
    const label = formatShort(number)
    // The last one may be at the edge.
    const most = scale.width - ctx.measureText(label).width / 2
    ctx.fillText(label, Math.min(scale.x(number - 1), most), HEIGHT - MARGIN.bottom / 2)
  }
}

function drawPoints(ctx: CanvasRenderingContext2D, scale: Scale, points: Result[], colours: Colours): void {
  const size = points.length > 5000 ? 2 : points.length > 500 ? 4 : 7
  // Failures last, so that they are on top.
  for (const isFailed of [false, true]) {
    ctx.fillStyle = isFailed ? colours.failed : colours.passed
    ctx.strokeStyle = colours.failed
    ctx.lineWidth = points.length > 500 ? 1.25 : 2
    ctx.globalAlpha = isFailed ? 1 : points.length > 5000 ? 0.35 : 0.75
    points.forEach((point, index) => {
      if ((point.status === 'failed') !== isFailed) return
      const x = scale.x(index)
      const y = scale.y(point.durationMs)
      // Another shape, not only another colour.
      if (isFailed) cross(ctx, x, y, size / 2 + 1)
      else if (points.length > 500) ctx.fillRect(x - size / 2, y - size / 2, size, size)
      else dot(ctx, x, y, size / 2)
    })
  }
}

function dot(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, Math.PI * 2)
  ctx.fill()
}

function cross(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.beginPath()
  ctx.moveTo(x - radius, y - radius)
  ctx.lineTo(x + radius, y + radius)
  ctx.moveTo(x + radius, y - radius)
  ctx.lineTo(x - radius, y + radius)
  ctx.stroke()
}

interface Colours {
  text: string
  line: string
  passed: string
  failed: string
}

// A canvas does not know custom properties; a probe element resolves them, whatever the theme.
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

/** 1, 2 or 5 times a power of ten, not below what is given. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power
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
