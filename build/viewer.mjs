// Builds the browser applications, a script and a style sheet each: what the HTML report and `viva view` embed, and the labelling screen.
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

// The reports people pass on carry these libraries with them, so they carry their notices as well.
const NOTICE =
  '/*! With preact and @preact/signals (MIT, (c) Jason Miller and the Preact team), diff (BSD-3-Clause, (c) Kevin Decker), ' +
  'marked (MIT, (c) MarkedJS and Christopher Jeffrey) */'

/** @param {{ outdir: string }} options */
export async function buildViewer({ outdir }) {
  await build({
    entryPoints: {
      app: fileURLToPath(new URL('../src/viewer/app/main.tsx', import.meta.url)),
      label: fileURLToPath(new URL('../src/viewer/app/label/main.tsx', import.meta.url)),
    },
    outdir,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    banner: { js: NOTICE },
    charset: 'utf8',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
}
