// Choices about a completion that every provider shares.
import { UserError } from '../errors.js'
import type { CompletionRequest } from '../model/connector.js'
import { isRecord } from '../base/record.js'
import { preview } from '../base/text.js'
import type { ConnectorFile } from './types.js'

/** Connection settings; everything else in `options` is a model parameter. */
const OF_THE_CONNECTION = new Set(
  (
    'model host proxy key headers stream label azure organization package export settings version capabilities ' +
    'protocols extra_body'
  ).split(' '),
)

/** The default: only a stream shows the time to the first chunk, and leaves a partial answer when the time is up. */
export function wantsStream(request: CompletionRequest, options: Record<string, unknown>): boolean {
  const { capabilities } = options
  const canStream = !isRecord(capabilities) || capabilities['streaming'] !== false
  return (request.options['stream'] ?? options['stream'] ?? canStream) !== false
}

/** The model parameters in the connector file. */
export function parametersOf(file: ConnectorFile): Record<string, unknown> {
  const { options } = file
  requireProtocol(file)
  return Object.fromEntries(Object.entries(options).filter(([name]) => !OF_THE_CONNECTION.has(name)))
}

/** `extra_body`: sent as it is, beside the known parameters. */
export function extraBody({ options: { extra_body }, file, id }: ConnectorFile): Record<string, unknown> {
  if (extra_body === undefined || extra_body === null) return {}
  if (isRecord(extra_body)) return extra_body
  throw badOption(file ?? id, 'extra_body', 'an object', extra_body)
}

/** Gateways list what they speak; the type of the connector must be among it. */
function requireProtocol({ options: { protocols }, type, file, id }: ConnectorFile): void {
  if (protocols === undefined || protocols === null || type === 'ai-sdk') return
  if (Array.isArray(protocols) && (protocols.length === 0 || protocols.includes(type))) return
  throw badOption(file ?? id, 'protocols', `a list with "${type}" in it, the type of this connector`, protocols)
}

function badOption(where: string, option: string, expected: string, found: unknown): UserError {
  return new UserError({
    code: 'BAD_OPTION',
    message: `options.${option} of ${where}: expected ${expected}, found ${preview(found)}`,
  })
}
