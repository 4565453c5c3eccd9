// Values that must never be written although no variable's name says so: keys of connectors and tool servers, secret
// headers and variables in the configuration, user and password in a target or a proxy, what `--pass-env` passes on.
import { fillKnown, variablesIn } from '../connectors/env-values.js'
import { findConnectorKeys } from '../connectors/keys.js'
import type { RunOptions } from './options.js'
import type { AgentEntry, VivaConfig } from '../model/config.js'
import { credentialSecrets } from '../http/credentials.js'
import { proxySecrets } from '../http/proxy.js'
import { secretValues } from '../redact/exact-values.js'
import { isSecretSetting } from '../redact/secret-names.js'
import type { VariantSpec } from '../model/variant.js'

/** For a redactor: what the environment and the settings of a run say must not be written. */
export function secretsOf(
  { options, appRoot, config, variants = [], places = new Map(), secrets = [] }: SecretSettings,
  env: NodeJS.ProcessEnv,
): { env: NodeJS.ProcessEnv; extraValues: string[]; allow: readonly string[] } {
  const { name, simulator, reporter, pass_env, queue, key_env } = options
  const named = [name, simulator, reporter, queue, ...variants.map(({ target }) => target)]
  const targets = named.filter((target) => target !== undefined)
  const own = [...variants, ...(config.variants ?? [])].flatMap(({ env: given = {} }) =>
    entrySecrets({ env: given }, env),
  )
  const known = [{ appRoot, config }, ...places.values()].flatMap((place) =>
    knownSecrets({ appRoot: place.appRoot, config: place.config, env, pass_env, targets }),
  )
  const agents = [config, ...[...places.values()].map((place) => place.config)].flatMap((each) =>
    Object.values(each.agents ?? {}),
  )
  const keys = agents.flatMap((entry) => (typeof entry === 'string' ? [] : (entry.key ?? [])))
  if (key_env !== undefined) keys.push(`$ENV.${key_env}`)
  return {
    env,
    extraValues: [...known, ...own, ...secrets, ...keys.flatMap((key) => secretParts(key, env))],
    allow: config.redactions?.allow ?? [],
  }
}

export interface SecretSettings {
  options: SecretOptions
  appRoot: string
  config: VivaConfig
  variants?: readonly VariantSpec[]
  /** Variants whose agent is in another folder. */
  places?: ReadonlyMap<string, { appRoot: string; config: VivaConfig }>
  /** More values that must not be written. */
  secrets?: readonly string[]
}

type SecretOptions = Pick<RunOptions, 'pass_env' | 'name' | 'simulator' | 'reporter' | 'queue' | 'key_env'>

interface SecretSources {
  appRoot: string
  config: VivaConfig
  env: NodeJS.ProcessEnv
  pass_env: string[]
  /** What `-n` and similar flags name. */
  targets: string[]
}

function knownSecrets({ appRoot, config, env, pass_env, targets }: SecretSources): string[] {
  const passed = pass_env.flatMap((name) => env[name] ?? [])
  const agents = Object.values(config.agents ?? {})
  const entries = agents.filter((entry) => typeof entry !== 'string')
  const named = [...targets, ...agents.map((entry) => (typeof entry === 'string' ? entry : entry.target))]
  return [
    ...findConnectorKeys(appRoot, env),
    ...entries.flatMap((entry) => entrySecrets(entry, env)),
    ...named.flatMap((target) => addressSecrets(target, env)),
    ...proxySecrets(env),
    ...passed,
  ]
}

function entrySecrets(
  { headers = {}, env: given = {} }: Pick<AgentEntry, 'headers' | 'env'>,
  env: NodeJS.ProcessEnv,
): string[] {
  return [
    // A header that takes a variable takes it for its secret.
    ...Object.entries(headers).filter(([name, value]) => isSecretSetting(name) || value.includes('$ENV.')),
    ...Object.entries(given).filter(
      ([name, value]) => isSecretSetting(name) || secretValues({ [name]: value }).length > 0,
    ),
  ].flatMap(([, value]) => secretParts(value, env))
}

/** `Bearer $ENV.TOKEN`: the variable's value, and the expanded whole, with and without the word before it. */
function secretParts(value: string, env: NodeJS.ProcessEnv): string[] {
  const parts = variablesIn(value).map((name) => env[name] ?? '')
  return [...parts, fillKnown(value, env).replace(/^\w+\s+/, '')].filter((part) => part !== '')
}

/** Variables in the address of an agent that are not part of what anyone may know: user, password, query. */
function addressSecrets(target: string, env: NodeJS.ProcessEnv): string[] {
  const hidden = [/\/\/([^/?#]*)@/.exec(target)?.[1] ?? '', /\?(.*)$/s.exec(target)?.[1] ?? '']
  const named = hidden.flatMap((part) => variablesIn(part)).map((name) => env[name] ?? '')
  return [...named, ...credentialSecrets(fillKnown(target, env))].filter((part) => part !== '')
}
