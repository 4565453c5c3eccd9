// The prompts of a package: lists of `{role, content, name?}` in prompts.yml, prompts/** and package.yao.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { AgentError, type Problem } from '../../../errors.js'
import { defined } from '../../../base/defined.js'
import { describe } from './describe.js'
import { nearMisses, suggest } from '../../../base/suggest.js'
import { isRecord, readNonEmpty } from '../../../base/record.js'
import { isInside } from '../../../files/inside.js'
import { listFiles } from './folder.js'
import type { AgentPackage, Prompt } from '../types.js'
import { readYaml } from './yaml-file.js'
import { type FieldProblem } from '../../../base/field-name.js'

const ROLES = ['system', 'developer', 'user', 'assistant']
const FIELDS = ['role', 'content', 'name']
const ASSET = /@assets\/([^\s"'<>]+\.(?:md|ya?ml|json|txt))/g

/** `prompts.yml` of a folder, also under the other ending of YAML: overlooked, the model would be tested without prompts. */
export async function loadPrompts(folder: string, problems: Problem[]): Promise<Prompt[]> {
  const file = ['prompts.yml', 'prompts.yaml'].map((name) => join(folder, name)).find((path) => existsSync(path))
  return file === undefined ? [] : loadPromptFile(file, folder, problems)
}

/** `root` holds the `assets/` folder that `@assets/x.md` is read from. */
async function loadPromptFile(file: string, root: string, problems: Problem[]): Promise<Prompt[]> {
  const source = await readYaml(file, problems)
  if (!source) return []
  const { prompts, found } = parsePrompts(source.value)
  const locate = ({ path, ...problem }: FieldProblem): Problem => ({ file, line: source.lineOf(path), ...problem })
  problems.push(...found.map(locate))
  return prompts.map((prompt, index) => ({
    ...prompt,
    content: inlineAssets(prompt.content, root, (message) =>
      problems.push(locate({ path: [index, 'content'], message })),
    ),
  }))
}

/** `prompts/chat/friendly.yml` is the preset `chat.friendly`. */
export async function loadPresets(dir: string, problems: Problem[]): Promise<Map<string, Prompt[]>> {
  const presets = new Map<string, Prompt[]>()
  const folder = join(dir, 'prompts')
  for (const file of listFiles(folder, /\.ya?ml$/)) {
    const name = relative(folder, file)
      .replace(/\.ya?ml$/, '')
      .replaceAll(sep, '.')
    presets.set(name, await loadPromptFile(file, dir, problems))
  }
  return presets
}

export function parsePrompts(value: unknown): { prompts: Prompt[]; found: FieldProblem[] } {
  if (value === null || value === undefined) return { prompts: [], found: [] }
  if (!Array.isArray(value)) {
    const message = `expected a list of prompts (- role: system, content: …), found ${describe(value)}`
    return { prompts: [], found: [{ path: [], message }] }
  }
  const found: FieldProblem[] = []
  const prompts = value.flatMap((item: unknown, index) => parsePrompt(item, index, found) ?? [])
  return { prompts, found }
}

interface PromptChoice {
  preset?: string
  mode?: string
}

/** Which prompts open the conversation: the application's, then the preset or the agent's own. */
export function choosePrompts(pkg: AgentPackage, choice: PromptChoice & { withoutGlobal: boolean }): Prompt[] {
  const own =
    (choice.preset === undefined ? presetOfMode(pkg, choice.mode) : requirePreset(pkg, choice.preset)) ?? pkg.prompts
  return mergePrompts(choice.withoutGlobal ? [] : pkg.globalPrompts, own)
}

/** The name of the preset among them; undefined for the agent's own prompts. */
export function chosenPreset(pkg: AgentPackage, { preset, mode }: PromptChoice): string | undefined {
  return preset ?? (presetOfMode(pkg, mode) ? (mode ?? pkg.defaultMode) : undefined)
}

export function mergePrompts(global: Prompt[], own: Prompt[]): Prompt[] {
  return [...global, ...own]
}

function presetOfMode(pkg: AgentPackage, mode: string | undefined): Prompt[] | undefined {
  const name = mode ?? pkg.defaultMode
  return name === undefined ? undefined : pkg.presets.get(name)
}

function requirePreset(pkg: AgentPackage, name: string): Prompt[] {
  const preset = pkg.presets.get(name)
  if (preset) return preset
  const known = [...pkg.presets.keys()]
  const near = suggest(name, known)
  throw new AgentError({
    code: 'config',
    message: `agent ${pkg.id} has no prompt preset "${name}"`,
    hint: near
      ? `did you mean "${near}"?`
      : known.length > 0
        ? `it has: ${known.join(', ')}`
        : 'presets are files below prompts/',
  })
}

function parsePrompt(item: unknown, index: number, found: FieldProblem[]): Prompt | undefined {
  if (!isRecord(item)) {
    found.push({ path: [index], message: `expected a prompt {role, content}, found ${describe(item)}` })
    return undefined
  }
  const { role = 'system', content, name } = item
  for (const { key, suggestion } of nearMisses(item, FIELDS))
    found.push({ path: [index, key], message: `unknown field "${key}"`, suggestion })
  if (typeof role !== 'string' || !ROLES.includes(role))
    found.push({ path: [index, 'role'], message: `role must be one of ${ROLES.join(', ')}, found ${describe(role)}` })
  if (typeof content !== 'string')
    found.push({ path: [index, 'content'], message: `content must be text, found ${describe(content)}` })
  if (name !== undefined && typeof name !== 'string')
    found.push({ path: [index, 'name'], message: `name must be text, found ${describe(name)}` })
  if (typeof role !== 'string' || typeof content !== 'string') return undefined
  return { role, content, ...defined({ name: readNonEmpty(name) }) }
}

function inlineAssets(content: string, root: string, report: (message: string) => void): string {
  return content.replaceAll(ASSET, (found, name: string) => {
    const assets = join(root, 'assets')
    const file = join(assets, name)
    if (existsSync(file) && isInside(assets, file))
      return readFileSync(file, 'utf8')
        .replace(/^\uFEFF/, '')
        .trimEnd()
    report(
      existsSync(file)
        ? `${found} is outside the agent's assets folder`
        : `${found} does not exist (looked for ${file})`,
    )
    return found
  })
}
