// `viva schema`: the JSON Schema of a file format, generated from the definitions the checks use.
import { UserError } from '../../errors.js'
import { optionsJsonSchema } from '../../config/options-schema.js'
import type { CommandCall } from '../command.js'
import { suggest } from '../../base/suggest.js'
import { prettyJson } from '../../base/json/pretty-json.js'
import { stdout } from '../terminal.js'

const SCHEMAS: Record<string, () => Promise<object>> = {
  case: async () => (await import('../case-schemas.js')).oneCaseSchema(),
  cases: async () => (await import('../case-schemas.js')).caseFileSchema(),
  cassette: async () => (await import('../../recordings/cassette-schema.js')).CASSETTE_JSON_SCHEMA,
  config: async () => {
    const { configJsonSchema } = await import('../../model/config-schema.js')
    return configJsonSchema(optionsJsonSchema())
  },
  result: async () => (await import('../../model/event-schema.js')).eventJsonSchema(),
}

export async function schema({ args }: CommandCall): Promise<number> {
  const what = args[0] ?? ''
  const make = SCHEMAS[what]
  if (!make) throw unknownSchema(what)
  stdout.json(prettyJson(await make()))
  return 0
}

function unknownSchema(what: string): UserError {
  const known = Object.keys(SCHEMAS)
  const near = suggest(what, known)
  return new UserError({
    code: 'UNKNOWN_SCHEMA',
    message: `no schema called "${what}"`,
    hint: near === undefined ? `known: ${known.join(', ')}` : `did you mean ${near}?`,
  })
}
