// A configuration of promptfoo → cases, agent packages, connectors, variants.
import { basename, dirname, extname, join } from 'node:path'
import { parse as parseYaml, stringify as writeYaml } from 'yaml'
import { addJudge, JUDGE } from '../judge.js'
import { isPresent, isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import { prettyJson } from '../../base/json/pretty-json.js'
import { UserError } from '../../errors.js'
import { readTemplate } from '../../files/shipped.js'
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
import { readPrompts, type SourcePrompt } from './prompts.js'
import { unknownKeys } from '../unknown-keys.js'
import { CONFIG_KEYS, RUN_KEYS } from './keys.js'
import { readProvider, readProviders, type SourceProvider } from './providers.js'
import { renderPrompt, valueAt } from './render-prompts.js'
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
  readonly #connectors = new Map<string, Record<string, unknown>>()
  readonly #scripts = new Map<string, string>()
  readonly #placeholders: Note[] = []
  /** What every case has lost. */
  readonly #lost: Note[] = []
  readonly #schemas = new Schemas()
  #needsJudge = false

  constructor(config: Located, folder: SourceFolder, options: ImportOptions) {
    this.#config = config
    this.#folder = folder
    this.#options = options
    this.#slugs.take('echo', 'echo')
    this.#slugs.take('judge', 'judge')
  }

  async import(): Promise<Imported> {
    const providers = await readProviders(this.#config, this.#folder, this.#slugs, this.#lose)
    for (const provider of providers) this.#addProvider(provider)
    const prompts = await readPrompts(this.#config, this.#folder, this.#lose)
    for (const provider of providers) this.#requirePrompts(provider, prompts)
    const tests = await readTests(this.#config, this.#folder, (reason, origin) => {
      this.#placeholders.push({ ...origin, reason, kind: 'lost' })
    })
    this.#readSettings()
    const items = tests.map((test) => {
      const { vars, lost } = resolved(test.vars)
      return { test: { ...test, lost: [...test.lost, ...lost] }, vars }
    })
    const packages = this.#addPackages(prompts, items, providers)
    if (packages.length > 0 && providers.length > 0 && variantsOf(packages, providers).length === 0)
      this.#lose('no provider runs with any of the prompts', this.#at(['providers']))
    const width = String(items.length).length
    for (const [index, { test, vars }] of items.entries()) {
      const id = `test-${String(index + 1).padStart(width, '0')}`
      this.#addCase(id, test, vars, packages, index, providers)
    }
    for (const [index, note] of this.#placeholders.entries()) this.#addPlaceholder(index, note)
    this.#result.unread = this.#placeholders.length
    if (this.#result.cases.length === 0) throw nothing(this.#config.file)
    this.#result.notes.unshift(...this.#lost)
    this.#finish(packages, providers)
    return this.#result
  }

  /** Every case is asked by way of every prompt and provider: without one of them none can be green. */
  readonly #lose = (reason: string, { file, line }: Origin): void => {
    this.#lost.push({ file, line, reason, kind: 'lost' })
  }

  /** Not carried over, and no case depends on it. */
  readonly #list = (reason: string, { file, line }: Origin): void => {
    this.#result.notes.push({ file, line, reason, kind: 'lost' })
  }

  #addProvider({ name, connector, ignored, file, line, id }: SourceProvider): void {
    this.#connectors.set(name, connector)
    if (ignored.length > 0) this.#lose(`provider ${id}: ${ignored.join(', ')}`, { file, line })
  }

  #requirePrompts(provider: SourceProvider, prompts: SourcePrompt[]): void {
    for (const ref of provider.prompts ?? [])
      if (!prompts.some((prompt) => isMeant(ref, prompt)))
        this.#lose(`provider ${provider.id}: there is no prompt "${ref}"`, provider)
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

  #addPackages(
    prompts: SourcePrompt[],
    items: ReadonlyArray<{ test: SourceTest; vars: Record<string, unknown> }>,
    providers: SourceProvider[],
  ): Package[] {
    const slugs = new Slugs()
    const cases = items.map(({ test: { options }, vars }) => ({
      vars,
      prefix: textOption(options['prefix']),
      suffix: textOption(options['suffix']),
    }))
    const found: Package[] = []
    for (const prompt of prompts) {
      const name = slugs.take(prompt.label, 'prompt')
      try {
        const made = renderPrompt(prompt, name, cases)
        found.push({ name, prompt, ...made })
      } catch (error) {
        this.#lose(`the prompt "${prompt.label}": ${messageOf(error)}`, prompt)
      }
    }
    const connector = providers[0]?.name ?? 'echo'
    for (const { name, prompt, messages } of found) {
      const folder = `assistants/${name}`
      const about = { name: prompt.label, connector, prompts_only: true }
      this.#result.files.set(`${folder}/package.yao`, prettyJson(about))
      this.#result.files.set(`${folder}/prompts.yml`, writeYaml(messages, { lineWidth: 0 }))
    }
    return found
  }

  #addCase(
    id: string,
    test: SourceTest,
    vars: Record<string, unknown>,
    packages: Package[],
    index: number,
    providers: SourceProvider[],
  ): void {
    const notes: Note[] = []
    const lose = (reason: string, origin: Origin = test): void => {
      notes.push({ file: origin.file, line: origin.line, reason, kind: 'lost', case: id })
    }
    for (const reason of test.lost) lose(reason)
    if (packages.length === 0) lose('no prompt was carried over')
    if (providers.length === 0) lose('no provider was carried over')
    const context = this.#placeFor(test, vars, providers, lose)
    const item: ImportedCase = { id, input: inputOf(vars, test) }
    if (test.description !== undefined) item['name'] = test.description
    item['metadata'] = this.#metadataOf(vars, test, packages, index)
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
  }

  #metadataOf(
    vars: Record<string, unknown>,
    test: SourceTest,
    packages: Package[],
    index: number,
  ): Record<string, unknown> {
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
      priced: providers.every(({ connector }) => connector['price'] !== undefined),
      readValue: (reference) => this.#readValue(reference),
      takeScript: (reference) => this.#takeScript(reference),
      takePython: (reference) => this.#takePython(reference),
      shipped: false,
      judgeConnector: (provider) => this.#judgeConnector(provider ?? test.options['provider']),
      rubricPrompt: test.options['rubricPrompt'],
      checkSpec: this.#options.checkSpec,
    }
  }

  #readValue(reference: string): unknown {
    if (reference.startsWith('text:'))
      return parseYaml(reference.slice('text:'.length), { maxAliasCount: 0 }) as unknown
    const path = reference.slice('file://'.length)
    const { text } = this.#folder.text(path)
    const ending = extname(path).toLowerCase()
    if (['.json', '.yaml', '.yml'].includes(ending)) return parseYaml(text, { maxAliasCount: 100 }) as unknown
    if (ending === '.txt') return text.trim()
    throw new Error(`a value in ${path}`)
  }

  #takeScript(reference: string): string {
    const [, path = '', name] = /^file:\/\/(.+?\.[cm]?[jt]s)(?::(\w+))?$/.exec(reference) ?? []
    const known = this.#scripts.get(reference)
    if (known !== undefined) return known
    const { text } = this.#folder.text(path)
    if (/\bfrom\s*['"](?!node:)|\bimport\s*['"](?!node:)|\brequire\s*\(\s*['"](?!node:)|\bimport\s*\(/.test(text))
      throw new Error(`${path} needs other modules, which are not carried over`)
    const slug = new Slugs().take(
      `${basename(path, extname(path))}-${name ?? 'check'}-${this.#scripts.size + 1}`,
      'check',
    )
    const stem = slug.replaceAll('-', '_')
    const copy = `${stem}_own${extname(path)}`
    this.#result.files.set(`scripts/${copy}`, text)
    this.#result.files.set(`scripts/${stem}.js`, ownCheckScript(copy, name))
    const ref = `scripts:${stem}.Check`
    this.#scripts.set(reference, ref)
    return ref
  }

  #takePython(reference: string): { file: string; name?: string } {
    const [, path = '', name] = /^file:\/\/(.+?\.py)(?::(\w+))?$/.exec(reference) ?? []
    const { text } = this.#folder.text(path)
    const beside = dirname(path)
    const needed = [...text.matchAll(/^[ \t]*(?:from|import)[ \t]+(\.|[A-Za-z_]\w*)/gm)].find(
      ([, module = '']) =>
        module === '.' ||
        this.#folder.has(join(beside, `${module}.py`)) ||
        this.#folder.has(join(beside, module, '__init__.py')),
    )
    if (needed) throw new Error(`${path} needs other files (${needed[0].trim()}), which are not carried over`)
    const known = this.#scripts.get(path)
    const file = known ?? `own_${this.#scripts.size + 1}.py`
    this.#scripts.set(path, file)
    this.#result.files.set(`scripts/${file}`, text)
    return { file: `scripts/${file}`, ...(name !== undefined && { name }) }
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
    for (const [name, connector] of this.#connectors) if (connector['label'] === id) return name
    const made = readProvider(withoutOthers(entry), { file: this.#config.file, line: 1 }, this.#slugs)
    if (made.ignored.length > 0) throw new Error(`its provider ${id}: ${made.ignored.join(', ')}`)
    this.#connectors.set(made.name, { ...made.connector, label: id })
    return made.name
  }

  /** Tests that could not even be read must not vanish from the suite. */
  #addPlaceholder(index: number, note: Note): void {
    const id = `not-imported-${index + 1}`
    const item: ImportedCase = { id, input: note.reason }
    skipFor(item, [note])
    this.#result.cases.push(item)
    this.#result.notes.push({ ...note, case: id })
  }

  #finish(packages: Package[], providers: SourceProvider[]): void {
    const { files } = this.#result
    const [first] = packages
    if (!first) {
      files.set('assistants/suite/package.yao', prettyJson({ name: 'Nothing was carried over', connector: 'echo' }))
    }
    files.set('connectors/echo.conn.yao', prettyJson({ label: 'Answers with the prompt', type: 'echo', options: {} }))
    if (this.#needsJudge) addJudge(files)
    for (const [name, connector] of this.#connectors) files.set(`connectors/${name}.conn.yao`, prettyJson(connector))
    const variants = variantsOf(packages, providers)
    const [only] = variants
    const { repeat, maxConcurrency, timeoutMs } = this.#runSettings()
    files.set(
      'viva.config.json',
      prettyJson({
        defaults: {
          name: only?.target ?? first?.name ?? 'suite',
          ...(variants.length === 1 && only?.connector !== providers[0]?.name && { connector: only?.connector }),
          ...(isCount(repeat) && repeat > 1 && { runs: repeat }),
          ...(isCount(maxConcurrency) && { parallel: maxConcurrency }),
          ...(typeof timeoutMs === 'number' && timeoutMs > 0 && { timeout: `${timeoutMs}ms` }),
        },
        ...(variants.length > 1 && { variants }),
        ...(this.#needsJudge && JUDGE),
      }),
    )
  }
}

/** Calls a function of the user's own, in a file that was copied beside. */
function ownCheckScript(file: string, name = ''): string {
  return readTemplate('import/own-check.js').replaceAll('FILE', file).replace('NAME', name)
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
  connector: string
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
