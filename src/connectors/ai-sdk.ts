// `ai-sdk`: any AI SDK provider package of the user's project: {package, export?, model, key?, host?, settings?, …}.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../errors.js'
import type { Connector } from '../model/connector.js'
import { isRecord, readString } from '../base/record.js'
import { requireHostOfPackage } from './host.js'
import { missingModel, refuseOptions } from './option-errors.js'
import { completeWithSdk } from './sdk-model.js'
import { readSdkSettings } from './sdk-settings.js'
import type { SdkModel } from './sdk-types.js'
import type { ConnectorFile, ConnectorTools } from './types.js'

type Callable = (...args: unknown[]) => unknown

export async function createAiSdkConnector(file: ConnectorFile, tools: ConnectorTools): Promise<Connector> {
  const name = readString(file.options['package'])
  if (name === undefined) throw missingPackage(file)
  const { settings, model, ...setup } = readSdkSettings(file, (path) => path || '/v1', tools.http)
  refuseOptions(file, { version: 'give it to the package in options.settings' })
  if (model === undefined) throw missingModel(file)
  const own = isRecord(file.options['settings']) ? file.options['settings'] : {}
  const address = settings.baseURL ?? own['baseURL']
  if (address === undefined) requireOwnAddress(file, name, tools)
  // Packages look for a key in the environment: it does not belong to the address that the file names.
  else settings.apiKey ??= ''
  tools.http.requireLive(`the package ${name}`)
  const module = await importFrom(tools.appRoot, name, file)
  const provider = providerOf(module, file, { name: shortName(name), ...settings, ...own })
  const language = languageModel(provider, model)
  if (!language) throw notAProvider(file, name, module)
  // Older packages print warnings to stdout, where our own output may be read by a program.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return {
    id: file.id,
    type: file.type,
    complete: completeWithSdk({
      model: language,
      provider: readString(own['name']) ?? OPTIONS_OF[shortName(name)] ?? shortName(name),
      mayBeStrict: !NOT_STRICT.has(shortName(name)),
      ...setup,
      tools,
      finishReasons: file.finish_reasons,
    }),
  }
}

/** Packages know their address, unless a variable names another: a key in a file only goes where the file says. */
function requireOwnAddress(file: ConnectorFile, name: string, { env }: ConnectorTools): void {
  if (file.options['key'] === undefined) return
  requireHostOfPackage(file, name)
  const variable = `${shortName(name).replaceAll(/\W/g, '_').toUpperCase()}_BASE_URL`
  if (env[variable] === undefined) return
  throw new UserError({
    code: 'NO_HOST',
    message: `${file.file ?? file.id} has a key and no options.host, and ${variable} is set: the key would be sent there`,
    hint: `add "host": "$ENV.${variable}" to options if that is meant, or unset ${variable}`,
  })
}

/** The named export, else the only `create…`, else the ready-made provider. */
function providerOf(module: Record<string, unknown>, file: ConnectorFile, settings: object): unknown {
  const wanted = readString(file.options['export'])
  const creators = Object.keys(module).filter((key) => /^create[A-Z]/.test(key) && typeof module[key] === 'function')
  const name = wanted ?? creators[0]
  const value = name === undefined ? module['default'] : module[name]
  if (value === undefined) throw notAProvider(file, readString(file.options['package']) ?? '', module)
  return name !== undefined && /^create[A-Z]/.test(name) ? (value as Callable)(settings) : value
}

function languageModel(provider: unknown, model: string): SdkModel | undefined {
  const holder = provider as { languageModel?: unknown } | undefined
  if (typeof holder?.languageModel === 'function') {
    return (provider as { languageModel: Callable }).languageModel(model) as SdkModel
  }
  return typeof provider === 'function' ? ((provider as Callable)(model) as SdkModel) : undefined
}

/** Packages that look for their own options under another name than theirs. */
const OPTIONS_OF: Partial<Record<string, string>> = { 'amazon-bedrock': 'bedrock', 'google-vertex': 'vertex' }
/** Vendors whose schemas are never strict. */
const NOT_STRICT = new Set(['anthropic', 'google', 'amazon-bedrock', 'google-vertex'])

/** `@ai-sdk/groq` → `groq`: the name under which a package looks for its own options. */
function shortName(name: string): string {
  return name.split('/').at(-1) ?? name
}

async function importFrom(appRoot: string, name: string, file: ConnectorFile): Promise<Record<string, unknown>> {
  const require = createRequire(join(appRoot, 'package.json'))
  let path: string | undefined
  try {
    path = require.resolve(name)
  } catch {
    path = findModuleEntry(appRoot, name)
  }
  if (path === undefined) throw packageNotFound(file, name, appRoot)
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>
}

/** For packages that can only be imported: what `exports` or `module` names. */
function findModuleEntry(appRoot: string, name: string): string | undefined {
  for (let folder = appRoot; ; folder = dirname(folder)) {
    const root = join(folder, 'node_modules', name)
    if (existsSync(join(root, 'package.json'))) {
      const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      const entry = isRecord(manifest) ? entryOf(manifest) : undefined
      return entry === undefined ? undefined : join(root, entry)
    }
    if (dirname(folder) === folder) return undefined
  }
}

function entryOf(manifest: Record<string, unknown>): string | undefined {
  let target = manifest['exports']
  if (isRecord(target) && '.' in target) target = target['.']
  for (let depth = 0; isRecord(target) && depth < 5; depth++)
    target = target['import'] ?? target['node'] ?? target['default']
  return readString(target) ?? readString(manifest['module']) ?? readString(manifest['main'])
}

function missingPackage(file: ConnectorFile): UserError {
  return new UserError({
    code: 'MISSING_PACKAGE',
    message: `the connector ${file.id} names no package`,
    hint: `add "package": "@ai-sdk/…" to options in ${file.file ?? 'its file'}`,
  })
}

function packageNotFound(file: ConnectorFile, name: string, appRoot: string): UserError {
  return new UserError({
    code: 'PACKAGE_NOT_FOUND',
    message: `the package "${name}" of the connector ${file.id} is not installed in ${appRoot}`,
    hint: `npm install ${name}`,
  })
}

function notAProvider(file: ConnectorFile, name: string, module: Record<string, unknown>): UserError {
  return new UserError({
    code: 'NOT_A_PROVIDER',
    message: `"${name}" exports no provider of language models under ${readString(file.options['export']) ?? 'create…'}`,
    hint: `set "export" in ${file.file ?? file.id} to one of: ${Object.keys(module).join(', ')}`,
  })
}
