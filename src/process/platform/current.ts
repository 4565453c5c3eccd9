// The system we run on.
import { linux } from './linux.js'
import { macos } from './macos.js'
import type { Platform } from './platform.js'
import { windows } from './windows.js'

export const currentPlatform: Platform = platformOf(process.platform)

/** Other Unix systems have what the macOS code relies on: a shell, process groups and `ps`. */
function platformOf(name: NodeJS.Platform): Platform {
  if (name === 'linux') return linux
  return name === 'win32' ? windows : macos
}
