// argv → command. The only place that ends the process.
export async function main(argv: string[]): Promise<void> {
  // A reader that goes away (`| head -1`) must not end the run: the event file is what counts.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
  process.exitCode = await runCli(argv)
}

async function runCli(argv: string[]): Promise<number> {
  const { runProgram } = await import('./program.js')
  try {
    return await runProgram(argv)
  } catch (error) {
    const { describeError } = await import('./print-error.js')
    const { UserError } = await import('../errors.js')
    const { createRedactor } = await import('../redact/redactor.js')
    process.stderr.write(createRedactor({ env: process.env }).text(describeError(error)))
    return error instanceof UserError ? error.exitCode : 3
  }
}
