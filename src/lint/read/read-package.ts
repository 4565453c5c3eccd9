// A folder with package.yao → what its loader says, its prompts and the tools it declares, as data.
import { join, relative } from 'node:path'
import { loadPackage } from '../../agents/package/load/load.js'
import { findAgentDir, agentIdOf } from '../../agents/resolve-id.js'
import { formatToolName } from '../../agents/package/tools/tool-names.js'
import { listServerFiles, loadServer, serverIdOf } from '../../agents/package/tools/tool-server.js'
import { readYaml } from '../../agents/package/load/yaml-file.js'
import { isRecord } from '../../base/record.js'
import { stringsIn } from '../../base/strings-in.js'
import { isFile } from '../../files/stat.js'
import { findAppRoot } from '../../files/app-root.js'
import { UserError, type Problem } from '../../errors.js'
import type { Instructions, ListedItem, LoadedPackage, Subject, ToolList } from '../subject.js'
import { readTree, shownFrom, shownPath, type Tree } from './read-tree.js'
import { skillFileIn } from './read-skill.js'

export async function readPackage(dir: string, cwd: string, without: readonly string[]): Promise<Subject> {
  const shown = shownFrom(cwd, dir)
  const tree = readTree(dir, shown, (path) => skillFileIn(path) !== undefined || isFile(join(path, 'package.yao')))
  const lists = await toolLists(dir, cwd)
  const tools = new Set(lists.flatMap(({ label, items }) => items.map(({ name }) => formatToolName(label, name))))
  const texts = await promptTexts(dir, shown, tree, tools)
  const loaded = await tryLoading(dir, cwd, without)
  return { kind: 'package', label: shown, lists, texts, folder: tree.folder, loaded }
}

async function tryLoading(dir: string, cwd: string, without: readonly string[]): Promise<LoadedPackage> {
  const appRoot = findAppRoot(dir, cwd)
  const file = shownFrom(cwd, join(dir, 'package.yao'))
  const loaded: LoadedPackage = { file, problems: [], warnings: [] }
  const place = (problem: Problem): LoadedPackage['problems'][number] => {
    const { file, line, column, message, suggestion, hint } = problem
    const near = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
    return {
      ...(file !== undefined && { file: shownFrom(cwd, file) }),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
      message: `${message}${near}`.replaceAll(`${dir}/`, ''),
      ...(hint !== undefined && { fix: hint }),
    }
  }
  try {
    await loadPackage({
      id: agentIdOf(dir),
      dir,
      appRoot,
      agentDir: (id) => findAgentDir(appRoot, id),
      without,
      warn: (text) => loaded.warnings.push(warningOf(text, cwd)),
    })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (error.problems.length > 0) loaded.problems.push(...error.problems.map(place))
    else loaded.problems.push({ file, message: error.message })
  }
  return loaded
}

/** The loader writes `file: text` or `file:line: text`. */
function warningOf(text: string, cwd: string): LoadedPackage['warnings'][number] {
  const match = /^(\/.*?|[A-Za-z]:.*?):(?:(\d+):)? (.*)$/s.exec(text)
  if (!match) return { message: text }
  const [, file = '', line, message = ''] = match
  return { file: shownFrom(cwd, file), ...(line !== undefined && { line: Number(line) }), message }
}

/** The tools that the package declares itself; what other servers have is known when they run. */
async function toolLists(dir: string, cwd: string): Promise<ToolList[]> {
  const folder = join(dir, 'mcps')
  const lists: ToolList[] = []
  for (const file of listServerFiles(folder)) {
    // What is wrong with the file is in what the loader says.
    const server = await loadServer(file, folder, dir, [])
    if (server?.transport !== 'process') continue
    const id = serverIdOf(relative(folder, file))
    const schemes = join(folder, 'mapping', ...id.split('.'), 'schemes')
    const items = server.tools.map(({ name, description, input_schema }): ListedItem => {
      const scheme = [`${name}.in.yao`, `${name}.in.json`].map((each) => join(schemes, each)).find(isFile)
      return {
        kind: 'tool',
        name,
        description,
        inputSchema: input_schema,
        outputSchema: undefined,
        annotations: undefined,
        arguments: [],
        place: { file: shownFrom(cwd, scheme ?? file), about: `tool "${name}"` },
        text: JSON.stringify({ name, description, inputSchema: input_schema }),
        texts: [...stringsIn({ name, description, input_schema })],
      }
    })
    lists.push({ label: id, isServer: false, items })
  }
  return lists
}

async function promptTexts(
  dir: string,
  shown: string,
  tree: Tree,
  tools: ReadonlySet<string>,
): Promise<Instructions[]> {
  const files = [...tree.paths].filter((path) => /^prompts(?:\.ya?ml$|\/.*\.ya?ml$)/.test(path))
  const texts: Instructions[] = []
  for (const path of files) {
    const source = await readYaml(join(dir, path), [])
    const prompts = Array.isArray(source?.value) ? source.value : []
    for (const [index, prompt] of prompts.entries()) {
      const content: unknown = isRecord(prompt) ? prompt['content'] : undefined
      if (typeof content !== 'string' || !source) continue
      const line = source.lineOf([index, 'content'])
      // A block starts on the line after its key.
      const firstLine = content.includes('\n') ? line + 1 : line
      texts.push({
        file: shownPath(shown, path),
        firstLine,
        text: content,
        paths: tree.paths,
        outside: new Set(),
        base: '',
        isMain: true,
        tools,
      })
    }
  }
  return texts
}
