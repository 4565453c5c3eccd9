// The command that is measured: this checkout as it would be installed, or another one (`VIVA_BIN=…/bin/viva.js`).
import { install } from './install.mjs'
import { ROOT } from './paths.mjs'

export const VIVA = process.env['VIVA_BIN'] ?? install(ROOT, 'this').bin
