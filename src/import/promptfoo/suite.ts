// A configuration of promptfoo → cases, agent packages, connectors, variants.
import { relative, resolve, sep } from 'node:path'
import { stringify as writeYaml } from 'yaml'
import { addJudge, JUDGE } from '../judge.js'
import { isPresent, isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import { prettyJson } from '../../base/json/pretty-json.js'
import { UserError } from '../../errors.js'
import {
  newImported,
  skipFor,
  type Imported,
  type ImportOptions,
  type ImportedCase,
  type Note,
  type Origin,
} from '../imported.js'
import type { Format } from '../format.js'
import type { Located, SourceFolder } from '../read-source.js'
import { Slugs } from '../slug.js'
import { renderTemplate, TemplateError } from '../template.js'
import { requireTransform, type AssertionContext } from './assertions.js'
import { CaseChecks } from './case-checks.js'
import type { Place } from './agents.js'
import { OwnFiles } from './own-files.js'
import { readPrompts, type PromptMessage, type SourcePrompt } from './prompts.js'
import { unknownKeys } from '../unknown-keys.js'
import { CONFIG_KEYS, RUN_KEYS } from './keys.js'
import { readProvider, readProviders, type SourceProvider } from './providers.js'
import { conversation, renderPrompt, requireKnown, valueAt, type PromptCase } from './render-prompts.js'
import { Schemas } from './schema.js'
import { readTests, type SourceTest } from './tests.js'

export const PROMPTFOO: Format = {
  id: 'promptfoo',
  label: 'promptfoo configuration',
  is: ({ value }) =>
    isRecord(value) && ['prompts', 'providers', 'targets'].some((name) => name in value) && !('cases' in value),
  read: (document, options) => new Suite(document, document.folder, options).import(),
}

class Suite {
  readonly #config: Located
  readonly #folder: SourceFolder
  readonly #options: ImportOptions
  readonly #result = newImported('promptfoo configuration')
  readonly #slugs = new Slugs()
  readonly #connectors = new Map<string, object & { label: string }>()
  readonly #own: OwnFiles
  readonly #placeholders: Note[] = []
  /** What every case has lost. */
  readonly #lost: Note[] = []
  readonly #schemas = new Schemas()
  readonly #said = new Set<string[]>()
  #needsJudge = false
  #settings: Record<string, unknown> = {}

  constructor(config: Located, folder: SourceFolder, options: ImportOptions) {
    this.#config = config
    this.#folder = folder
    this.#options = options
    this.#own = new OwnFiles(folder, this.#result.files)
    for (const taken of ['echo', 'judge', MODEL, MISSING]) this.#slugs.take(taken, taken)
  }

  async import(): Promise<Imported> {
    const providers = await readProviders(this.#config, this.#folder, this.#slugs, this.#place())
    const lostPrompts: Note[] = []
    const prompts = await readPrompts(this.#config, this.#folder, (reason, origin) => {
      lostPrompts.push({ ...origin, reason, kind: 'lost' })
    })
    for (const provider of providers) this.#addProvider(provider, prompts)
    const tests = await readTests(this.#config, this.#folder, (reason, origin) => {
      this.#placeholders.push({ ...origin, reason, kind: 'lost' })
    })
    this.#readSettings()
    const items = tests.map((test): Item => {
      const { vars, lost } = resolved(test.vars)
      const { prefix, suffix } = test.options
      return {
        test: { ...test, lost: [...test.lost, ...lost] },
        vars,
        prefix: textOption(prefix),
        suffix: textOption(suffix),
      }
    })
    if (providers.length === 0) this.#lose('no provider was carried over', this.#at([]))
    const packages = this.#packagesOf(prompts, items)
    // Prompts of models are packages, and compared with each other. Whatever else is asked gets the prompt as its input.
    const isPlain =
      lostPrompts.length === 0 &&
      packages.length === prompts.length &&
      providers.every(({ connector, lost }) => connector && lost.length === 0)
    if (isPlain) this.#writePackages(packages, items, providers)
    else this.#writeCases(prompts, items, providers, lostPrompts)
    for (const [index, note] of this.#placeholders.entries()) this.#addPlaceholder(index, note)
    this.#result.unread = this.#placeholders.length
    if (this.#result.cases.length === 0) throw nothing(this.#config.file)
    this.#result.notes.unshift(...this.#lost)
    this.#addFiles(providers)
    this.#result.files.set('viva.config.json', prettyJson({ ...this.#settings, ...(this.#needsJudge && JUDGE) }))
    return this.#result
  }

  #place(): Place {
    const { into } = this.#options
    const path = into === undefined ? '..' : relative(resolve(into), this.#folder.root).split(sep).join('/')
    return { from: path === '' ? '' : `${path}/`, has: (file) => this.#folder.has(file) }
  }

  /** One package a prompt, one variant for each of them with each model. */
  #writePackages(packages: Package[], items: Item[], providers: SourceProvider[]): void {
    const variants = variantsOf(packages, providers)
    if (packages.length > 0 && providers.length > 0 && variants.length === 0)
      this.#lose('no provider runs with any of the prompts', this.#at(['providers']))
    const connector = providers[0]?.name ?? 'echo'
    for (const { name, prompt, messages } of packages)
      this.#addPackage(name, { name: prompt.label, connector, prompts_only: true }, messages)
    if (packages.length === 0) this.#addPackage('suite', { name: 'Nothing was carried over', connector: 'echo' })
    for (const [index, item] of items.entries()) {
      const metadata = this.#metadataOf(item, packages, index)
      const lost = packages.length === 0 ? ['no prompt was carried over'] : []
      this.#addCase(
        idOf(index, items.length),
        item,
        { input: inputOf(item.vars, item.test), metadata },
        lost,
        providers,
      )
    }
    const [only] = variants
    this.#writeConfig({
      name: only?.target ?? packages[0]?.name ?? 'suite',
      ...(variants.length === 1 && only?.connector !== providers[0]?.name && { connector: only?.connector }),
      variants,
    })
    const which = packages.length > 1 ? `, of ${packages.length} prompts the first alone` : ''
    this.#result.ways = ['', ` -c echo    # without a model${which}`]
  }

  /** One case for each test with each prompt, as it is asked. */
  #writeCases(prompts: SourcePrompt[], items: Item[], providers: SourceProvider[], lostPrompts: Note[]): void {
    const names = new Slugs()
    const named = prompts.map((prompt) => ({ prompt, name: names.take(prompt.label, 'prompt') }))
    const isOne = prompts.length + lostPrompts.length === 1
    for (const [index, item] of items.entries()) {
      const id = idOf(index, items.length)
      const metadata = this.#metadataOf(item, [], index)
      for (const { prompt, name } of named) {
        const { asked, lost } = askedBy(prompt, item)
        this.#addCase(isOne ? id : `${id}-${name}`, item, { ...asked, metadata }, lost, providers)
      }
      for (const [at, { reason }] of lostPrompts.entries())
        this.#addCase(
          isOne ? id : `${id}-prompt-${at + 1}`,
          item,
          { input: inputOf(item.vars, item.test), metadata },
          [reason],
          providers,
        )
    }
    this.#result.notes.push(...lostPrompts)
    this.#reachAll(providers)
  }

  /** Agents by their names, models by way of a package that adds nothing. A provider that is lost leaves no default: one has to be named. */
  #reachAll(providers: SourceProvider[]): void {
    const lost = providers.filter((provider) => provider.lost.length > 0)
    const models = providers.filter(({ connector }) => connector)
    const agents = providers.filter(({ agent, lost: left }) => agent && left.length === 0)
    for (const { agent } of agents) for (const [path, text] of agent?.files ?? []) this.#result.files.set(path, text)
    const isMissing = lost.length > 0 || providers.length === 0
    if (isMissing || models.length > 0) {
      const connector = isMissing ? MISSING : (models[0]?.name ?? 'echo')
      this.#addPackage(MODEL, { name: 'The model alone: each case has its whole prompt', connector })
    }
    const variants = isMissing
      ? []
      : providers.map(({ name, agent }) => (agent ? { name, target: name } : { name, target: MODEL, connector: name }))
    this.#writeConfig({
      name: isMissing || models.length > 0 ? MODEL : (agents[0]?.name ?? MODEL),
      variants,
      agents: Object.fromEntries(agents.map(({ name, agent }) => [name, agent?.entry])),
    })
    this.#result.ways = isMissing
      ? [' -n YOUR-AGENT    # or -c CONNECTOR: not every provider was carried over', ' -c echo    # without a model']
      : ['', ' -n builtin:echo    # without a model']
  }

  /** Every case is asked by way of every prompt and provider: without one of them none can be green. */
  readonly #lose = (reason: string, { file, line }: Origin): void => {
    this.#lost.push({ file, line, reason, kind: 'lost' })
  }

  /** Not carried over, and no case depends on it. */
  readonly #list = (reason: string, { file, line }: Origin): void => {
    this.#result.notes.push({ file, line, reason, kind: 'lost' })
  }

  #addProvider(provider: SourceProvider, prompts: SourcePrompt[]): void {
    const { name, connector, id, file, line, note } = provider
    if (connector) this.#connectors.set(name, connector)
    if (note !== undefined) this.#result.notes.push({ file, line, reason: `provider ${id}: ${note}`, kind: 'note' })
    for (const ref of provider.prompts ?? [])
      if (!prompts.some((prompt) => isMeant(ref, prompt)))
        this.#lose(`provider ${id}: there is no prompt "${ref}"`, provider)
    const isPart = provider.prompts && prompts.some((prompt) => !provider.prompts?.some((ref) => isMeant(ref, prompt)))
    if (isPart && !connector) provider.lost.push('it runs with some of the prompts alone')
    if (provider.lost.length > 0)
      this.#list(`provider ${id}: ${provider.lost.join(', ')}; its cases run with -n or -c`, { file, line })
  }

  #readSettings(): void {
    const value = this.#config.value as Record<string, unknown>
    this.#readKeys(value, CONFIG_KEYS, [])
    for (const name of ['evaluateOptions', 'commandLineOptions']) {
      if (isGiven(value[name]) && !isRecord(value[name])) this.#lose(`${name} that are not an object`, this.#at([name]))
      this.#readKeys(value[name], RUN_KEYS, [name])
    }
    if (value['providers'] !== undefined && value['targets'] !== undefined)
      this.#lose('targets beside providers', this.#at(['targets']))
    const { repeat, maxConcurrency, timeoutMs } = this.#runSettings()
    if (isGiven(repeat) && !isCount(repeat)) this.#lose(`repeat: ${String(repeat)}`, this.#at(['evaluateOptions']))
    if (isGiven(timeoutMs) && !(typeof timeoutMs === 'number' && timeoutMs >= 0))
      this.#lose(`timeoutMs: ${String(timeoutMs)}`, this.#at(['evaluateOptions']))
    if (isGiven(maxConcurrency) && !isCount(maxConcurrency))
      this.#list(`maxConcurrency: ${String(maxConcurrency)}`, this.#at(['evaluateOptions']))
    if (isGiven(value['env']) && !isRecord(value['env'])) this.#lose('env', this.#at(['env']))
    for (const name of Object.keys(isRecord(value['env']) ? value['env'] : {}))
      // A key is not copied: it is set where the suite runs.
      (/_(?:API_)?KEY$|_TOKEN$/.test(name) ? this.#list : this.#lose)(`env.${name}`, this.#at(['env', name]))
  }

  #runSettings(): Record<string, unknown> {
    const { commandLineOptions, evaluateOptions } = this.#config.value as Record<string, unknown>
    return {
      ...(isRecord(evaluateOptions) && evaluateOptions),
      ...(isRecord(commandLineOptions) && commandLineOptions),
    }
  }

  #readKeys(value: unknown, keys: typeof RUN_KEYS, at: string[]): void {
    if (!isRecord(value)) return
    const shown = (name: string): string => [...at, name].join('.')
    for (const [names, tell] of [
      [keys.lost, this.#lose],
      [keys.listed, this.#list],
    ] as const)
      for (const name of names) if (isGiven(value[name])) tell(shown(name), this.#at([...at, name]))
    const known = [...keys.read, ...keys.idle, ...keys.listed, ...keys.lost]
    // What means nothing to promptfoo either decides nothing, unless it is a key misspelt that would.
    for (const { key, reason, meant } of unknownKeys(value, known, at.join('.'))) {
      const tell = meant === undefined || keys.idle.includes(meant) ? this.#list : this.#lose
      tell(reason, this.#at([...at, key]))
    }
  }

  #at(steps: string[]): Origin {
    return { file: this.#config.file, line: this.#config.lineOf(steps) }
  }

  /** Without those whose templates cannot be filled for every test. */
  #packagesOf(prompts: SourcePrompt[], items: readonly Item[]): Package[] {
    const slugs = new Slugs()
    return prompts.flatMap((prompt) => {
      const name = slugs.take(prompt.label, 'prompt')
      try {
        return [{ name, prompt, ...renderPrompt(prompt, name, items) }]
      } catch {
        return []
      }
    })
  }

  #addPackage(name: string, about: Record<string, unknown>, prompts?: unknown[]): void {
    this.#result.files.set(`assistants/${name}/package.yao`, prettyJson(about))
    if (prompts) this.#result.files.set(`assistants/${name}/prompts.yml`, writeYaml(prompts, { lineWidth: 0 }))
  }

  #addCase(
    id: string,
    { test, vars }: Item,
    asked: Record<string, unknown>,
    lostHere: string[],
    providers: SourceProvider[],
  ): void {
    const notes: Note[] = []
    const lose = (reason: string, origin: Origin = test): void => {
      notes.push({ file: origin.file, line: origin.line, reason, kind: 'lost', case: id })
    }
    for (const reason of [...test.lost, ...lostHere]) lose(reason)
    const context = this.#placeFor(test, vars, providers, lose)
    const { metadata, ...question } = asked
    const item: ImportedCase = { id, ...(test.description !== undefined && { name: test.description }), ...question }
    if (isRecord(metadata) && Object.keys(metadata).length > 0) item['metadata'] = metadata
    for (const name of ['import', 'rendered'])
      if (name in vars || name in test.metadata)
        notes.push({
          ...whereOf(test),
          reason: `"${name}" is not in metadata: the name is taken`,
          kind: 'note',
          case: id,
        })
    const checks = new CaseChecks(this.#result, context, {
      lose,
      note: (reason, origin) => notes.push({ ...origin, reason, kind: 'note', case: id }),
      stricter: (reason, origin) => notes.push({ ...origin, reason, kind: 'stricter', case: id }),
    })
    Object.assign(item, checks.fieldsOf(test))
    if (checks.needsJudge) this.#needsJudge = true
    skipFor(item, [...this.#lost, ...notes])
    this.#result.notes.push(...notes)
    this.#result.cases.push(item)
    // Above the first of the cases that come from it.
    const { comments } = test
    if (!comments || this.#said.has(comments)) return
    this.#said.add(comments)
    this.#result.comments.set(id, comments)
  }

  #metadataOf({ vars, test }: Item, packages: Package[], index: number): Record<string, unknown> {
    const metadata: Record<string, unknown> = { ...test.metadata, ...vars }
    delete metadata['import']
    delete metadata['rendered']
    // A variable that is not there is printed as nothing, whatever metadata of the same name says.
    for (const { names } of packages)
      for (const name of names) if (!isPresent(valueAt(vars, name))) setAt(metadata, name)
    const rendered = packages.flatMap(({ name, rendered: all }) => {
      const own = all?.[index]
      return own ? [[name, own]] : []
    })
    return rendered.length > 0 ? { ...metadata, rendered: Object.fromEntries(rendered) as unknown } : metadata
  }

  #placeFor(
    test: SourceTest,
    vars: Record<string, unknown>,
    providers: SourceProvider[],
    lose: (reason: string) => void,
  ): AssertionContext {
    const transforms: string[] = []
    const own = providers.map(({ transform }) => transform).filter((transform) => transform !== undefined)
    if (own.length > 0 && (providers.length > 1 || own.length > 1)) lose('a transform of one of several providers')
    for (const transform of [...(providers.length === 1 ? own : []), test.options['transform']]) {
      if (transform === undefined || transform === null) continue
      try {
        if (typeof transform !== 'string') throw new Error('a transform that is not text')
        requireTransform(transform)
        transforms.push(transform)
      } catch (error) {
        lose(messageOf(error))
      }
    }
    return {
      vars,
      transforms,
      json: providers.some(({ json: isJson }) => isJson),
      schemas: this.#schemas,
      priced: providers.every(({ connector }) => connector?.price !== undefined),
      readValue: (reference) => this.#own.value(reference),
      takeScript: (reference) => this.#own.script(reference),
      takePython: (reference) => this.#own.python(reference),
      judge: (rubric) => this.#own.judge(rubric),
      shipped: false,
      judgeConnector: (provider) => this.#judgeConnector(provider ?? test.options['provider']),
      rubricPrompt: test.options['rubricPrompt'],
      checkSpec: this.#options.checkSpec,
    }
  }

  #judgeConnector(given: unknown): string | undefined {
    if (given === undefined || given === null) return undefined
    const entry =
      isRecord(given) && isRecord(given['text'])
        ? given['text']
        : isRecord(given) && typeof given['text'] === 'string'
          ? given['text']
          : given
    const id = typeof entry === 'string' ? entry : isRecord(entry) && typeof entry['id'] === 'string' ? entry['id'] : ''
    for (const [name, connector] of this.#connectors) if (connector.label === id) return name
    const { name, connector, lost } = readProvider(
      withoutOthers(entry),
      { file: this.#config.file, line: 1 },
      this.#slugs,
      this.#place(),
    )
    if (!connector || lost.length > 0) throw new Error(`its provider ${id}: ${lost.join(', ') || 'is not a model'}`)
    this.#connectors.set(name, { ...connector, label: id })
    return name
  }

  /** Tests that could not even be read must not vanish from the suite. */
  #addPlaceholder(index: number, note: Note): void {
    const id = `not-imported-${index + 1}`
    const item: ImportedCase = { id, input: note.reason }
    skipFor(item, [note])
    this.#result.cases.push(item)
    this.#result.notes.push({ ...note, case: id })
  }

  #addFiles(providers: SourceProvider[]): void {
    const { files } = this.#result
    if (
      providers.length === 0 ||
      files.has(`assistants/${MODEL}/package.yao`) ||
      !providers.every(({ agent }) => agent)
    )
      files.set('connectors/echo.conn.yao', prettyJson({ label: 'Answers with the prompt', type: 'echo', options: {} }))
    if (this.#needsJudge) addJudge(files)
    for (const [name, connector] of this.#connectors) files.set(`connectors/${name}.conn.yao`, prettyJson(connector))
  }

  #writeConfig({ name, connector, variants, agents = {} }: Reach): void {
    const { repeat, maxConcurrency, timeoutMs } = this.#runSettings()
    this.#settings = {
      defaults: {
        name,
        ...(connector !== undefined && { connector }),
        ...(isCount(repeat) && repeat > 1 && { runs: repeat }),
        ...(isCount(maxConcurrency) && { parallel: maxConcurrency }),
        ...(typeof timeoutMs === 'number' && timeoutMs > 0 && { timeout: `${timeoutMs}ms` }),
      },
      ...(Object.keys(agents).length > 0 && { agents }),
      ...(variants.length > 1 && { variants }),
    }
  }
}

/** Who answers, in the configuration of the suite. */
interface Reach {
  name: string
  connector?: string | undefined
  variants: Variant[]
  agents?: Record<string, unknown>
}

/** The package that passes a case on to a model as it is. */
const MODEL = 'model'
/** There is no such connector: a run says which there are. */
const MISSING = 'not-carried-over'

interface Item extends PromptCase {
  test: SourceTest
}

function idOf(index: number, count: number): string {
  return `test-${String(index + 1).padStart(String(count).length, '0')}`
}

/** The prompt as it is asked, or why it cannot be. */
function askedBy(prompt: SourcePrompt, item: Item): { asked: Record<string, unknown>; lost: string[] } {
  try {
    requireKnown(prompt, [item])
    const texts = [prompt.whole ?? '', ...prompt.messages.map(({ content }) => content)]
    if (item.vars['env'] === undefined && texts.some((text) => /\{[{%][^}]*\benv\./.test(text)))
      throw new Error('variables of the environment')
    const messages: PromptMessage[] = conversation(prompt, item)
    const [only] = messages
    return { asked: messages.length === 1 && only?.role === 'user' ? { input: only.content } : { messages }, lost: [] }
  } catch (error) {
    return {
      asked: { input: inputOf(item.vars, item.test) },
      lost: [`the prompt "${prompt.label}": ${messageOf(error)}`],
    }
  }
}

interface Package {
  name: string
  prompt: SourcePrompt
  messages: unknown[]
  names: string[]
  rendered?: string[][]
}

interface Variant {
  name: string
  target: string
  connector?: string
}

function variantsOf(packages: Package[], providers: SourceProvider[]): Variant[] {
  return packages.flatMap(({ name, prompt }) =>
    providers
      .filter(({ prompts }) => !prompts || prompts.some((ref) => isMeant(ref, prompt)))
      .map((provider) => ({
        name: packages.length === 1 ? provider.name : providers.length === 1 ? name : `${name}--${provider.name}`,
        target: name,
        connector: provider.name,
      })),
  )
}

/** Beside the model that judges there may be those for other kinds of checks. */
function withoutOthers(entry: unknown): unknown {
  if (!isRecord(entry)) return entry
  const { embedding: _embedding, classification: _classification, moderation: _moderation, ...judge } = entry
  return judge
}

function whereOf({ file, line }: Origin): Origin {
  return { file, line }
}

/** It says something. */
function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** How a provider names the prompts it runs with: by label or id, `Group:*`, or `Group` for `Group:one`. */
function isMeant(ref: string, { label, id }: SourcePrompt): boolean {
  return [label, id, `file://${label}`].some(
    (name) =>
      name !== undefined &&
      (name === ref || name.startsWith(`${ref}:`) || (ref.endsWith('*') && name.startsWith(ref.slice(0, -1)))),
  )
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 10_000
}

/** Values may be templates over the others. */
function resolved(vars: Record<string, unknown>): { vars: Record<string, unknown>; lost: string[] } {
  let known = vars
  const lost = new Map<string, string>()
  for (let round = 0; round < 3; round += 1) {
    const next = Object.fromEntries(
      Object.entries(known).map(([name, value]) => {
        try {
          return [name, typeof value === 'string' ? filled(value, known) : value]
        } catch (error) {
          if (!(error instanceof TemplateError)) throw error
          lost.set(name, `the variable ${name}: template: ${error.message}`)
          return [name, value]
        }
      }),
    )
    if (JSON.stringify(next) === JSON.stringify(known)) break
    known = next
  }
  return { vars: known, lost: [...lost.values()] }
}

/** Tags that are never closed, and names that nothing defines, stay as they are. */
function filled(text: string, vars: Record<string, unknown>): string {
  if (!/\{[{%#]/.test(text) || /\{%[^%]*$|\{\{[^}]*$|\{#[^#]*$/m.test(text)) return text
  const names = [...text.matchAll(/\{\{\s*([A-Za-z_]\w*)/g)].map((match) => match[1] ?? '')
  if (names.some((name) => name !== 'env' && vars[name] === undefined)) return text
  return renderTemplate(text, vars)
}

/** What people and judges see as the question. */
function inputOf(vars: Record<string, unknown>, { description }: SourceTest): string {
  const entries = Object.entries(vars)
  const [only] = entries
  const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  if (entries.length === 1 && only && shown(only[1]) !== '') return shown(only[1])
  if (entries.length === 0) return description ?? 'the prompt as it is'
  return entries.map(([name, value]) => `${name}: ${shown(value)}`).join('\n')
}

function setAt(metadata: Record<string, unknown>, path: string): void {
  const steps = path.split('.')
  let at = metadata
  for (const step of steps.slice(0, -1)) {
    const inner = isRecord(at[step]) ? { ...at[step] } : {}
    at[step] = inner
    at = inner
  }
  at[steps.at(-1) ?? ''] = ''
}

function textOption(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function nothing(file: string): UserError {
  return new UserError({
    code: 'NOTHING_TO_IMPORT',
    message: `${file} has no tests that could be carried over`,
    hint: 'look at the notes above; is the right file named?',
  })
}
