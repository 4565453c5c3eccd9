// Pictures of pages: the same size, clock, language and fonts each time.
import type { Browser, Page } from 'playwright-core'

export interface Shot {
  url: string
  width?: number
  height?: number
  dark?: boolean
  /** Goes to the place that is pictured. */
  prepare?: (page: Page) => Promise<void>
  /** Only this part of the page. */
  part?: string
}

export async function takePicture(browser: Browser, shot: Shot): Promise<Buffer> {
  const context = await browser.newContext({
    viewport: { width: shot.width ?? 1200, height: shot.height ?? 760 },
    deviceScaleFactor: 1.5,
    colorScheme: shot.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  try {
    const page = await context.newPage()
    await page.clock.setFixedTime(new Date('2026-03-14T10:00:00Z'))
    await page.goto(shot.url)
    await shot.prepare?.(page)
    // Two frames: the first draws the page, the second what is drawn once its size is known.
    await page.evaluate(
      'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
    )
    await page.waitForTimeout(300)
    const box = shot.part === undefined ? undefined : await page.locator(shot.part).first().boundingBox()
    const session = await context.newCDPSession(page)
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: 82,
      ...(box && { clip: { ...box, scale: 1 } }),
    })
    return Buffer.from(data, 'base64')
  } finally {
    await context.close()
  }
}
