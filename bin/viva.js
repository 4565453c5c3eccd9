#!/usr/bin/env node
const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  // Answered before anything is loaded: scripts ask for it often.
  console.log(require('../package.json').version)
} else {
  require('./loader.js').createLoader().loadCore()
  void require('../dist/cli/main.cjs').main(argv)
}
