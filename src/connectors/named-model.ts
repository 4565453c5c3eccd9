// The connector behind `openai:gpt-5-mini`, as a file would describe it: key and address come from the vendor's variables.
import { UserError } from '../errors.js'
import { defined } from '../base/defined.js'
import { preview } from '../base/text.js'
import type { EnvValues } from './env-values.js'
import type { ModelVendor, NamedModel } from './model-vendors.js'
import { signsOfKey } from './vendors.js'
import type { ConnectorFile } from './types.js'

/** Throws a UserError that names the variable, if the key is not there. */
export function describeModel(id: string, { vendor, model }: NamedModel, env: EnvValues): ConnectorFile {
  if (!/^[\x21-\x7e]+$/.test(model)) throw noModel(id, vendor, model)
  const address = valueOf(vendor.hostVariable, env)
  const key = readKey(id, vendor, env)
  const file: ConnectorFile = {
    id,
    type: vendor.type,
    options: { model, host: hostOf(id, vendor, address), ...defined({ key: key?.value }) },
    limits: {},
    folders: [],
    variables: defined({ host: address === undefined ? undefined : vendor.hostVariable, key: key?.variable }),
  }
  if (address === undefined) requireOwnKey(file, vendor)
  return file
}

function readKey(id: string, vendor: ModelVendor, env: EnvValues): { variable: string; value: string } | undefined {
  const { keyVariables } = vendor
  if (keyVariables.length === 0) return undefined
  const variable = keyVariables.find((name) => valueOf(name, env) !== undefined)
  if (variable === undefined) throw noKey(id, vendor, env)
  const value = valueOf(variable, env) ?? ''
  if (!/^[\x21-\x7e]+$/.test(value)) throw badKey(id, variable)
  return { variable, value }
}

/** What is only blanks was never set; blanks around a value are not part of it. */
function valueOf(name: string, env: EnvValues): string | undefined {
  return env[name]?.trim() || undefined
}

/** Ollama's variable may lack the scheme and the port, and also says where the server listens: `box`, `0.0.0.0:8080`. */
function hostOf(id: string, { host, prefix, hostVariable }: ModelVendor, given: string | undefined): string {
  if (given === undefined) return host
  const address = prefix === 'ollama' && !/^https?:/i.test(given) ? withScheme(given, new URL(host).port) : given
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address
  throw new UserError({
    code: 'BAD_HOST',
    message: `the environment variable ${hostVariable} is not a URL; ${id} needs it`,
    hint: `give it with its scheme, e.g. http://localhost:8080/v1, or unset it for ${host}`,
  })
}

function withScheme(address: string, port: string): string {
  const where = address.replace(/^0\.0\.0\.0/, '127.0.0.1')
  return /:\d+$/.test(where) ? `http://${where}` : `http://${where}:${port}`
}

/** A key in the wrong variable would be shown to a vendor that it is not for. */
function requireOwnKey(file: ConnectorFile, { name, host }: ModelVendor): void {
  const other = signsOfKey(file).find(({ vendor }) => vendor !== name)
  if (!other) return
  const variable = file.variables?.['key'] ?? ''
  throw new UserError({
    code: 'BAD_KEY',
    message: `the key in ${variable} looks like ${other.vendor}'s, and ${file.id} would send it to ${new URL(host).host}`,
    hint: `put ${name}'s key into ${variable}`,
  })
}

function noModel(id: string, { prefix }: ModelVendor, model: string): UserError {
  return new UserError({
    code: 'MISSING_MODEL',
    message:
      model.trim() === ''
        ? `"${id}" names no model`
        : `${preview(model, 60)} in "${prefix}:…" is not the name of a model`,
    hint: `write it as the vendor does, without spaces: ${prefix}:MODEL`,
  })
}

function noKey(id: string, { name, keyVariables }: ModelVendor, env: EnvValues): UserError {
  const [usual = '', ...others] = keyVariables
  const also = others.length > 0 ? ` (nor ${others.join(', ')})` : ''
  return new UserError({
    code: 'MISSING_VARIABLE',
    message: `the environment variable ${usual} is ${env[usual] === undefined ? 'not set' : 'empty'}${also}; ${id} needs it`,
    hint: `set it to your ${name} key: export ${usual}=…`,
  })
}

function badKey(id: string, variable: string): UserError {
  return new UserError({
    code: 'BAD_KEY',
    message: `the key in ${variable} has characters that cannot be sent in a header; ${id} needs it`,
    hint: 'a key has no spaces or line breaks',
  })
}
