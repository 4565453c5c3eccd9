// What is wrong with a configuration, by the same schema that `viva schema config` prints.
import { dirname } from 'node:path'
import * as v from 'valibot'
import { isBareModel, receivesMessages, takesKey } from '../agents/resolve-target.js'
import type { Problem } from '../errors.js'
import { configSchema } from '../model/config-schema.js'
import type { WrittenConfig } from '../model/config.js'
import { readIssues } from '../pipeline/sources/schema-issues.js'
import { findUnknownKeys } from '../pipeline/sources/unknown-keys.js'
import { fieldName } from '../base/field-name.js'
import { suggest } from '../base/suggest.js'

export function checkConfig(value: unknown, file: string): Problem[] {
  if (value === undefined) return [{ file, message: 'expected an object as default export, found none' }]
  const parsed = v.safeParse(configSchema, value)
  const problems: Problem[] = parsed.success
    ? agentProblems(parsed.output, file)
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
function agentProblems({ agents = {} }: WrittenConfig, file: string): Problem[] {
  return Object.entries(agents).flatMap(([name, entry]) => {
    if (typeof entry === 'string') return []
    const problem = (field: string, message: string): Problem[] => [
      { file, field: fieldName(['agents', name, field]), message },
    ]
    const { url, target = url, key, messages, headers = {} } = entry
    if (target === undefined) return problem('target', 'required')
    if (url !== undefined && target !== url) return problem('url', 'is another word for "target": give one of them')
    if (url !== undefined && !/^https?:/i.test(url)) return problem('url', 'must begin with http:// or https://')
    if (isBareModel(target)) return modelProblems(entry, problem)
    const found: Problem[] = []
    if (messages !== undefined && !receivesMessages({ ...entry, target }, dirname(file)))
      found.push(
        ...problem(
          'messages',
          `"messages" is for functions, programs that read standard input and JSON endpoints; ${target} is none of them`,
        ),
      )
    if (key !== undefined && !takesKey(target))
      found.push(...problem('key', `"key" is for endpoints; ${target} is none: give it the variable in "env"`))
    if (key !== undefined && Object.keys(headers).some((header) => header.toLowerCase() === 'authorization'))
      found.push(...problem('key', 'is sent as the header authorization, which "headers" has as well'))
    return found
  })
}

type NewProblem = (field: string, message: string) => Problem[]

/** A model by its vendor has everything else from the vendor's variables. */
function modelProblems(entry: object, problem: NewProblem): Problem[] {
  const ignored = Object.keys(entry).filter((name) => !['target', 'tool_calls', 'description'].includes(name))
  return ignored.flatMap((name) =>
    problem(
      name,
      `"${name}" has no effect on a model that is named by its vendor: write a connector file, or name the endpoint by its url`,
    ),
  )
}
