// `viva mock-mcp tools.ts`: the tools of a test over MCP, for agents that connect to their tools themselves.
import { UserError } from '../../errors.js'
import { openCaseAddress, openToolFile, type FileTools, type ServeIo } from '../../mock-tools/serve-file.js'
import { createRedactor } from '../../redact/redactor.js'
import type { CommandCall } from '../command.js'
import { visible } from '../../base/hidden.js'
import { warn } from '../say.js'
import { STOP_SIGNALS, untilSignal } from '../signals.js'
import { stderr } from '../terminal.js'

/** Set by Viva for the agents of a run. */
const ADDRESS = 'VIVA_MOCK_MCP'

export async function mockMcp({ args, flags }: CommandCall): Promise<number> {
  const [file] = args
  const address = process.env[ADDRESS]
  const redactor = createRedactor({ env: process.env })
  const io: ServeIo = {
    cwd: process.cwd(),
    env: process.env,
    warn,
    say: (line) => stderr.write(`${visible(redactor.text(line))}\n`),
  }
  if (flags['http'] !== true && flags['port'] !== undefined) throw noHttp()
  const tools = await open(file, address, io)
  try {
    await (flags['http'] === true ? overHttp(tools, Number(flags['port'] ?? 0)) : overStreams(tools))
    return 0
  } finally {
    await tools.close()
  }
}

/** In a run, Viva keeps the store and the record of calls: what is served here is only a way to them. */
async function open(file: string | undefined, address: string | undefined, io: ServeIo): Promise<FileTools> {
  if (address !== undefined && address !== '') return openCaseAddress(address, io)
  if (file !== undefined) return openToolFile(file, io)
  throw new UserError({
    code: 'NO_TOOLS',
    message: `no file of tools, and ${ADDRESS} is not set`,
    hint: 'name one: viva mock-mcp tools.ts; in a run, Viva sets the variable for cases with testing.tools',
  })
}

async function overStreams(tools: FileTools): Promise<void> {
  const { serveStreams } = await import('../../mcp/stdio.js')
  const { createToolServer } = await import('../../mock-tools/mcp-server.js')
  const server = serveStreams(() => createToolServer(tools), process.stdin, process.stdout, warn)
  await untilSignal(STOP_SIGNALS, server.ended)
  await server.close()
}

async function overHttp(tools: FileTools, port: number): Promise<void> {
  const { serveMockTools } = await import('../../mock-tools/serve-http.js')
  const server = await serveMockTools({ port, warn })
  stderr.write(`${server.open(tools).url}\nPress Ctrl-C to stop.\n`)
  await untilSignal(STOP_SIGNALS)
  await server.close()
}

function noHttp(): UserError {
  return new UserError({ code: 'BAD_FLAG', subject: { flag: '--port' }, message: 'needs --http' })
}
