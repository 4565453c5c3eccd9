#!/usr/bin/env node
import module from 'node:module'

const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  // Answered before anything is loaded: scripts ask for it often.
  console.log(module.createRequire(import.meta.url)('../package.json').version)
} else {
  module.enableCompileCache?.()
  const { main } = await import('../dist/cli/main.js')
  await main(argv)
}
