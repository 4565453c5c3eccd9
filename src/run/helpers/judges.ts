// Who the judges of a run are, and which of them have a licence. Both are settled before the first case.
import { readFileSync } from 'node:fs'
import { builtinHelperFor } from '../../agents/helpers/built-in-ids.js'
import { defined } from '../../base/defined.js'
import { isFile } from '../../files/stat.js'
import { helperId } from '../../model/helper.js'
import type { JudgeIdentity } from '../../model/judge.js'
import { judgeEntryOf, shortHash, type Judges, type NamedJudge } from './judge-entry.js'
import type { Project } from '../project.js'
import type { Settings } from '../settings.js'
import { helperConnector } from './require-helper-connector.js'
import { readLicences } from './licences.js'

export function openJudges(
  settings: Settings,
  project: Project,
  env: NodeJS.ProcessEnv,
  warn: (text: string) => void,
): Judges {
  const isRequired = settings.config.judges?.require_licence === true
  const licences = readLicences(settings.appRoot)
  const known = new Map<string, Promise<JudgeIdentity>>()
  const identityOf = (judge: NamedJudge): Promise<JudgeIdentity> => {
    const isPath = judge.use?.startsWith('.') === true
    const key = JSON.stringify([
      helperId(judge.use ?? builtinHelperFor('validator')),
      judge.connector,
      isPath && judge.dir,
    ])
    const identity = known.get(key) ?? findIdentity(judge, settings, project, env)
    known.set(key, identity)
    return identity
  }
  return {
    settle: async (judge) => {
      // A judge that cannot be found is reported by whoever asks it.
      if (judge.use?.startsWith('.') !== true) await identityOf(judge).catch(() => undefined)
    },
    identify: async (judge, question) => {
      const entry = judgeEntryOf(await identityOf(judge), question)
      const licence = licences.get(entry.hash)
      const licensed = licence !== undefined
      if (licensed) return { judge: { ...entry, licensed, licence: licence.labels } }
      if (!isRequired) return { judge: entry }
      warn(`${entry.id} has no licence for a criterion: what it says is shown and not counted (judges.require_licence)`)
      return { judge: { ...entry, licensed }, advice: true }
    },
  }
}

async function findIdentity(
  { use, connector, dir, agentDir }: NamedJudge,
  settings: Settings,
  project: Project,
  env: NodeJS.ProcessEnv,
): Promise<JudgeIdentity> {
  const id = helperId(use ?? builtinHelperFor('validator'))
  const { appRoot } = settings
  if (/^scripts[:.]/.test(id)) {
    const { resolveFunction } = await import('../../scripts/compile/reference.js')
    const { file } = await resolveFunction(id, { root: appRoot, ...defined({ agentDir }) })
    return { id, made_of: shortHash(readFileSync(file, 'utf8')) }
  }
  const agent = await (await project.agents()).resolveHelper(id, dir)
  const asked = connector ?? agent.connector ?? helperConnector('validator', settings)
  const isPackage = agent.reads !== undefined
  const { describeConnector } = await import('../../connectors/describe-connector.js')
  const model = isPackage && asked !== undefined ? await describeConnector(asked, appRoot, env) : undefined
  return {
    id,
    ...(model && { model: model.model }),
    made_of: shortHash([model?.settings ?? null, ...(await sourcesOf(agent.path))]),
  }
}

/** The texts that a judge is made of: a module, or the package with its prompts and hooks. */
async function sourcesOf(path: string | undefined): Promise<string[]> {
  if (path === undefined) return []
  if (isFile(path)) return [readFileSync(path, 'utf8')]
  const { filesBelow, shownPath } = await import('../../scripts/compile/paths.js')
  return filesBelow(path)
    .map((file): [string, string] => [shownPath(path, file), file])
    .filter(([name]) => IS_PART.test(name))
    .map(([name, file]) => `${name}\n${readFileSync(file, 'utf8')}`)
}

const IS_PART = /^(package\.yao|prompts\.ya?ml|(prompts|src|mcps|locales)\/.*)$/
