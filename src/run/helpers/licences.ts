// The licences of a project: `licences/*.json` at its root, written by `viva judge check`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { UserError } from '../../errors.js'
import { parseJson } from '../../base/json/parse-json.js'
import { licenceSchema, type Licence } from '../../model/licence.js'
import { agreementOf, reasonAgainst } from '../../pipeline/fold/statistics/agreement.js'

export const LICENCES = 'licences'

/** By hash. Throws a UserError for a file that is not a licence, or whose labels do not support one. */
export function readLicences(appRoot: string): Map<string, Licence> {
  const folder = join(appRoot, LICENCES)
  const found = new Map<string, Licence>()
  if (!existsSync(folder)) return found
  for (const name of readdirSync(folder).toSorted()) {
    if (!name.endsWith('.json')) continue
    const licence = readLicence(join(folder, name), `${LICENCES}/${name}`)
    found.set(licence.hash, licence)
  }
  return found
}

function readLicence(path: string, file: string): Licence {
  const value = parseJson(readFileSync(path, 'utf8'))?.value
  const parsed = v.safeParse(licenceSchema, value)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw badLicence(file, `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`)
  }
  // The counts decide, not the figures beside them.
  const reason = reasonAgainst(agreementOf(parsed.output.labels))
  if (reason !== undefined) throw badLicence(file, `its labels support no licence: ${reason}`)
  return parsed.output
}

function badLicence(file: string, problem: string): UserError {
  return new UserError({
    code: 'BAD_LICENCE',
    message: `${file} is not a licence of a judge`,
    problems: [{ file, message: problem }],
    hint: 'write it again with viva judge check, or remove it',
  })
}
