// The project: its configuration, the variables its files name, whether its models and agents can be reached.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { readConnectorFile } from '../../connectors/conn-file.js'
import { readHost } from '../../connectors/host.js'
import { defaultHost, findConnectorFiles } from '../../connectors/registry.js'
import { messageOf } from '../../base/message-of.js'
import { UserError } from '../../errors.js'
import { openHttp } from '../../http/open-http.js'
import type { VivaConfig } from '../../model/config.js'
import { loadConfig } from '../../config/load-config.js'
import { DEFAULT_OPTIONS } from '../../config/options.js'
import { mergeOptions, readDefaults } from '../../config/read-options.js'
import { readVariants } from '../../config/read-variants.js'
import type { HelperSettings } from '../../run/helpers/require-helper-connector.js'
import { Clock, monotonicNow } from '../../time/clock.js'
import { boundBy } from '../../time/deadline.js'
import { checkModels } from './check-models.js'
import { bad, good, note, type Finding } from './finding.js'

const REACH_MS = 3000

export async function checkProject(appRoot: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const findings: Finding[] = []
  let config: VivaConfig = {}
  let settings: HelperSettings = { config, options: DEFAULT_OPTIONS, variants: [] }
  try {
    const loaded = await loadConfig(appRoot)
    config = loaded.config
    const options = mergeOptions({}, await readDefaults(loaded))
    const { variants } = readVariants({ options, configured: config.variants ?? [], pickAll: true })
    settings = { config, options, variants }
    findings.push(good('project', `${appRoot}${loaded.file === undefined ? ', no configuration' : `, ${loaded.file}`}`))
  } catch (error) {
    const hint = error instanceof UserError ? error.hint : undefined
    findings.push(bad('project', messageOf(error), hint ?? 'fix the configuration first'))
  }
  const files = findConnectorFiles(appRoot)
  const texts = [...files.values()].map((path) => readFileSync(path, 'utf8'))
  findings.push(...checkVariables([...texts, JSON.stringify(config)], env))
  const { addresses, findings: broken } = await addressesOf(files, config, appRoot, env)
  const models = await checkModels(appRoot, settings, env)
  const all = new Map([...models.addresses, ...addresses])
  return [...findings, ...broken, ...models.findings, ...(await checkAddresses(all, env))]
}

/** Names only, never values. */
function checkVariables(texts: string[], env: NodeJS.ProcessEnv): Finding[] {
  const names = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/\$ENV\.([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\}/g)].map(([, a, b]) => a ?? b ?? ''),
    ),
  )
  return [...names].map((name) =>
    env[name]
      ? good('key', `${name} is set`)
      : bad('key', `${name} is not set`, `the project uses it: export ${name}=…`),
  )
}

async function addressesOf(
  files: Map<string, string>,
  config: VivaConfig,
  appRoot: string,
  env: NodeJS.ProcessEnv,
): Promise<{ addresses: Map<string, string>; findings: Finding[] }> {
  const addresses = new Map<string, string>()
  const findings: Finding[] = []
  for (const [id, path] of files) {
    try {
      const file = await readConnectorFile({ id, path, appRoot, env: withPlaceholders(env) })
      const url = readHost(file) ?? defaultHost(file)
      if (url) addresses.set(url.origin, `connector ${id}`)
    } catch (error) {
      findings.push(bad('connector', `${relative(appRoot, path)}: ${reasonOf(error)}`, 'viva test would reject it too'))
    }
  }
  for (const [name, entry] of Object.entries(config.agents ?? {})) {
    const target = (typeof entry === 'string' ? entry : entry.target).replace(/^a2a:/, '')
    if (/^https?:/.test(target) && URL.canParse(target)) addresses.set(new URL(target).origin, `agent ${name}`)
  }
  return { addresses, findings }
}

function reasonOf(error: unknown): string {
  const problems = error instanceof UserError ? error.problems : []
  return problems.length === 0 ? messageOf(error) : problems.map(({ message }) => message).join('; ')
}

/** Missing variables have been reported; here only the shape of the file matters. */
function withPlaceholders(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return new Proxy(env, { get: (given, name) => (typeof name === 'string' ? (given[name] ?? 'unset') : undefined) })
}

/** Any answer will do. No key is sent. */
async function checkAddresses(addresses: Map<string, string>, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const http = openHttp({ env })
  const clock = new Clock()
  const findings: Finding[] = []
  try {
    for (const [origin, whose] of addresses) {
      const { signal, clear } = boundBy(new AbortController().signal, REACH_MS, '3s', clock)
      const started = monotonicNow()
      try {
        const response = await http.send({ url: new URL(origin), headers: {}, signal })
        await response.text(64 * 1024)
        const ms = Math.round(monotonicNow() - started)
        findings.push(good('endpoint', `${origin} answers in ${ms} ms (${whose})`))
      } catch (error) {
        findings.push(
          note(
            'endpoint',
            `${origin} (${whose}): ${messageOf(error)}`,
            'start it, or check the address, the network and HTTPS_PROXY',
          ),
        )
      } finally {
        clear()
      }
    }
  } finally {
    await http.close()
  }
  return findings
}
