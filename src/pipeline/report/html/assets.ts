// The browser application as built: one script, one style sheet, and their hashes for the content policy.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../../errors.js'

export interface ViewerAssets {
  script: string
  style: string
  scriptHash: string
  styleHash: string
}

/** `label`: the labelling screen. */
export async function loadViewerAssets(
  folder = findViewerFolder(),
  page: 'app' | 'label' = 'app',
): Promise<ViewerAssets> {
  const [script, style] = await Promise.all([
    readFile(join(folder, `${page}.js`), 'utf8'),
    readFile(join(folder, `${page}.css`), 'utf8'),
  ])
  return { script, style, scriptHash: hashSource(script), styleHash: hashSource(style) }
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`
}

// The same code runs from `src/` in tests and from `dist/` when installed, so the folder is searched upward.
function findViewerFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    const candidate = join(folder, 'dist', 'viewer')
    if (existsSync(join(candidate, 'app.js'))) return candidate
    const parent = dirname(folder)
    if (parent === folder) throw notBuilt()
    folder = parent
  }
}

function notBuilt(): UserError {
  return new UserError({
    code: 'VIEWER_NOT_BUILT',
    message: 'the browser application of the HTML report is missing (dist/viewer/app.js)',
    hint: 'in a checkout run `npm run build`; otherwise reinstall the package',
    exitCode: 3,
  })
}
