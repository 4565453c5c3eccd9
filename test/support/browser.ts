// A real Chromium for the tests: the system's, else the one that comes with a package.
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/**
 * In one process the first page that closes takes the browser with it. Without web security requests have no Origin, which
 * no browser of a person leaves out.
 */
const UNWANTED =
  /^--(headless|single-process|no-zygote|disable-web-security|disable-site-isolation|allow-running-insecure)/

/** Close it when done. `packaged` insists on the browser from the package. */
export async function launchBrowser(options: { packaged?: boolean } = {}): Promise<Browser> {
  const system = options.packaged ? undefined : findSystemBrowser()
  if (system) return chromium.launch({ executablePath: system, headless: true, args: FLAGS })
  const { default: packaged } = await import('@sparticuz/chromium')
  const args = [...packaged.args.filter((flag) => !UNWANTED.test(flag)), ...FLAGS]
  return chromium.launch({ executablePath: await packaged.executablePath(), headless: true, args })
}

function findSystemBrowser(): string | undefined {
  const named = process.env['CHROME_PATH']
  if (named && existsSync(named)) return named
  return SYSTEM.find((path) => existsSync(path))
}
