// `--model` and `--key-env` are for endpoints. Where they would be ignored they are refused.
import { takesKey } from '../../agents/resolve-target.js'
import { parseModel } from '../../connectors/model-vendors.js'
import { UserError } from '../../errors.js'
import type { VariantSpec } from '../../model/variant.js'
import type { Settings } from '../settings.js'

export function requireEndpoints({ options, variants, config }: Settings): void {
  const { model, key_env } = options
  const targets = variants.map((spec) => ({ spec, address: addressOf(spec, config) }))
  for (const { spec, address } of targets) {
    if (model !== undefined && !/^https?:/i.test(address)) throw ignored('--model', spec)
    if (key_env !== undefined && !takesKey(address)) throw ignored('--key-env', spec)
  }
  if (key_env === undefined) return
  const hosts = new Set(targets.map(({ address }) => hostOf(address)))
  if (hosts.size > 1) throw severalHosts([...hosts])
}

/** Script tests have no agent of their own. */
export function requireNoEndpointFlags({ options: { model, key_env } }: Settings, ref: string): void {
  const flag = (model !== undefined && '--model') || (key_env !== undefined && '--key-env')
  if (flag !== false) throw ignored(flag, { name: '', target: `the tests of ${ref}` })
}

function addressOf({ target = '' }: VariantSpec, { agents = {} }: Settings['config']): string {
  const entry = Object.hasOwn(agents, target) ? agents[target] : undefined
  return typeof entry === 'string' ? entry : (entry?.target ?? target)
}

function hostOf(address: string): string {
  const url = address.replace(/^(?:a2a|mcp):/i, '')
  return URL.canParse(url) ? new URL(url).host : url
}

function ignored(flag: '--model' | '--key-env', { target, name }: VariantSpec): UserError {
  const whom = target ?? (name === '' ? 'the agent package found from the cases' : `variant "${name}"`)
  return new UserError({
    code: 'FLAG_IGNORED',
    subject: { flag },
    message: `has no effect on ${whom}: it is for endpoints, -n http(s)://…${flag === '--model' ? '' : ', a2a:… or mcp:https://…'}`,
    hint: HINTS[flag][parseModel(target ?? '') ? 'model' : 'other'],
  })
}

const HINTS = {
  '--model': {
    model: 'the model is part of its name: give another one with -n',
    other:
      'a package has its model from its connector (-c); functions and programs choose theirs, or read options.model of a case or variant',
  },
  '--key-env': {
    model: "its key is in the vendor's usual variable; for another key, name the endpoint by its URL",
    other: 'functions and programs read their variables (--pass-env); a package has its key from its connector',
  },
}

/** A key goes to the host it is for, and to no other. */
function severalHosts(hosts: string[]): UserError {
  return new UserError({
    code: 'SEVERAL_HOSTS',
    subject: { flag: '--key-env' },
    message: `one key would be sent to ${hosts.length} hosts: ${hosts.join(', ')}`,
    hint: 'name the endpoints in the configuration, each with its key: agents: {x: {url, model, key: "$ENV.X"}}, then -n x',
  })
}
