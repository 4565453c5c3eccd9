// Where the options of a connector are written: in its file, or in a variable that its file names.
import type { Places } from '../http/places.js'
import { hostOption } from './host.js'
import type { ConnectorFile } from './types.js'

export function placesOf(file: ConnectorFile): Places {
  return { url: placeOf(file, hostOption(file)), key: placeOf(file, 'key'), model: placeOf(file, 'model') }
}

export function placeOf(file: ConnectorFile, option: string): string {
  const variable = file.variables?.[option]
  if (file.file === undefined) return variable === undefined ? file.id : `the variable ${variable}`
  const written = `options.${option} in ${file.file}`
  return variable === undefined ? written : `the variable ${variable}, named by ${written}`
}

/** The options that are nothing but `$ENV.NAME`: option → name. */
export function variablesOf(options: Record<string, unknown>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [option, value] of Object.entries(options)) {
    const name = typeof value === 'string' ? /^\s*\$ENV\.(\w+)\s*$/.exec(value)?.[1] : undefined
    if (name !== undefined) found[option] = name
  }
  return found
}
