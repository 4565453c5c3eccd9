// argv → command. The only place that ends the process.
import { finish, loseOutput, printError, watchEnding } from './ending.js'
import { stderr } from './terminal.js'

export async function main(argv: string[]): Promise<void> {
  watchEnding()
  ignoreLostReaders()
  finish(await runCli(argv))
}

async function runCli(argv: string[]): Promise<number> {
  const { runProgram } = await import('./program.js')
  try {
    return await runProgram(argv)
  } catch (error) {
    const { UserError } = await import('../errors.js')
    await printError(error, { classic: (argv[0] === 'agent' && argv[1] === 'test') || argv.includes('--classic') })
    return error instanceof UserError ? error.exitCode : 3
  }
}

/** A reader that goes away (`| head -1`) or a full disk behind `>` must not end the run. */
function ignoreLostReaders(): void {
  let said = false
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (said || error.code === 'EPIPE') return
    said = true
    loseOutput()
    stderr.write(`warning: cannot write to standard output: ${error.message}\n`)
  })
}
