import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const WORK = `${ROOT}bench/.work/`
mkdirSync(WORK, { recursive: true })
