// Shows a file to the user in whatever program the system has for it. That program is the user's: it may outlive us.
import { spawn } from 'node:child_process'
import { currentPlatform } from './platform/current.js'

export function openFile(path: string): void {
  const { file, args } = currentPlatform.viewer(path)
  const child = spawn(file, args, { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
