// What is wrong with a configuration, by the same schema that `viva schema config` prints.
import { dirname } from 'node:path'
import * as v from 'valibot'
import { receivesMessages } from '../agents/resolve-target.js'
import type { Problem } from '../errors.js'
import { configSchema } from '../model/config-schema.js'
import type { VivaConfig } from '../model/config.js'
import { readIssues } from '../pipeline/sources/schema-issues.js'
import { findUnknownKeys } from '../pipeline/sources/unknown-keys.js'
import { fieldName } from '../base/field-name.js'
import { suggest } from '../base/suggest.js'

export function checkConfig(value: unknown, file: string): Problem[] {
  if (value === undefined) return [{ file, message: 'expected an object as default export, found none' }]
  const parsed = v.safeParse(configSchema, value)
  const problems: Problem[] = parsed.success
    ? uselessMessages(parsed.output, file)
    : readIssues(parsed.issues).map(({ path, message }) => ({ file, field: fieldName(path), message }))
  for (const { path, name, known } of findUnknownKeys(configSchema, value)) {
    const suggestion = suggest(name, known)
    problems.push({
      file,
      field: fieldName([...path, name]),
      message: `unknown key "${name}"; known: ${known.join(', ')}`,
      ...(suggestion !== undefined && { suggestion }),
    })
  }
  return problems
}

/** A setting that changes nothing would look as if it did. */
function uselessMessages({ agents = {} }: Pick<VivaConfig, 'agents'>, file: string): Problem[] {
  return Object.entries(agents).flatMap(([name, entry]) => {
    if (typeof entry === 'string' || entry.messages === undefined) return []
    if (receivesMessages(entry, dirname(file))) return []
    const message = `"messages" is for functions, programs that read standard input and JSON endpoints; ${entry.target} is none of them`
    return [{ file, field: fieldName(['agents', name, 'messages']), message }]
  })
}
