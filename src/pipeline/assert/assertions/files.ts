// `file_exists`, `file_contains`, `file_not_contains`, `scratchpad_contains`: what is in the workspace.
import * as v from 'valibot'
import { pathProblem } from '../../../base/relative-path.js'
import type { FileReading, WorkspaceFiles } from '../../../model/workspace.js'
import {
  defineAssertion,
  notAvailable,
  SpecError,
  type AssertionDefinition,
  type Check,
  type Verdict,
} from '../define-assertion.js'
import { requirePattern } from '../patterns.js'
import { verdictOf } from './regex.js'

const text = v.pipe(v.string(), v.nonEmpty())

export const fileExists = defineAssertion({
  type: 'file_exists',
  summary: 'The file exists when the case is over; `path` is relative to the workspace',
  example: { type: 'file_exists', path: 'src/main.rs' },
  on: 'workspace',
  schema: v.object({ path: text }),

  compile({ path }, { field }) {
    requireFilePath(path, field)
    return inWorkspace(async (files) => {
      const found = await files.read(path)
      switch (found.kind) {
        case 'text':
        case 'binary':
        case 'too_big':
          return { passed: true, expected: 'a file', actual: 'a file' }
        case 'missing':
          return { passed: false, message: `${path} does not exist`, expected: 'a file', actual: 'nothing' }
        case 'folder': {
          const message = `${path} is a folder, not a file`
          return { passed: false, message, expected: 'a file', actual: 'a folder', incomplete: message }
        }
        case 'refused':
          return notAvailable(found.why)
      }
    })
  },
})

export const fileContains = searchFile('file_contains', 'A file of the workspace matches a pattern', true)
export const fileNotContains = searchFile(
  'file_not_contains',
  'A file of the workspace exists and does not match a pattern',
  false,
)

export const scratchpadContains = defineAssertion({
  type: 'scratchpad_contains',
  summary: 'The scratchpad, `.agent/scratchpad.md` unless `core.scratchpad` moves it, matches a pattern',
  example: { type: 'scratchpad_contains', pattern: 'Completed' },
  on: 'workspace',
  schema: v.object({ pattern: text }),

  compile({ pattern, negate }, { field }) {
    const re2 = requirePattern(pattern, `${field}.pattern`, negate === true)
    return inWorkspace(async (files) => {
      const { scratchpad } = files
      return searched(await files.read(scratchpad), `the scratchpad (${scratchpad})`, (found) =>
        verdictOf(re2.test(found), pattern, found, 'the scratchpad'),
      )
    })
  },
})

function searchFile(
  type: 'file_contains' | 'file_not_contains',
  summary: string,
  isWanted: boolean,
): AssertionDefinition {
  return defineAssertion({
    type,
    summary,
    example: { type, path: 'src/main.rs', pattern: 'fn main' },
    on: 'workspace',
    schema: v.object({ path: text, pattern: text }),

    compile({ path, pattern, negate }, { field }) {
      requireFilePath(path, field)
      const re2 = requirePattern(pattern, `${field}.pattern`, (negate === true) === isWanted)
      return inWorkspace(async (files) =>
        searched(await files.read(path), path, (found) => {
          if (isWanted) return verdictOf(re2.test(found), pattern, found, path)
          const hit = re2.find(found)
          if (!hit) return { passed: true }
          const line = found.slice(0, hit.index).split('\n').length
          return { passed: false, message: `${path} matches ${pattern} in line ${line}`, actual: hit.text }
        }),
      )
    },
  })
}

export function searched(found: FileReading, name: string, search: (text: string) => Verdict): Verdict {
  switch (found.kind) {
    case 'text':
      return search(found.text)
    case 'missing': {
      const message = `${name} does not exist`
      return { passed: false, message, actual: 'nothing', absent: message }
    }
    case 'binary':
      return notAvailable(`${name} is not text (${found.bytes} bytes): it cannot be searched`)
    case 'too_big':
      return notAvailable(`${name} has ${found.bytes} bytes, at most ${found.limit} can be searched`)
    case 'folder':
      return notAvailable(`${name} is a folder, not a file`)
    case 'refused':
      return notAvailable(found.why)
  }
}

/** Without a workspace nothing can be said about its files. */
export function inWorkspace(check: (files: WorkspaceFiles) => Promise<Verdict>): Check {
  return (_evidence, { workspace }) =>
    workspace ? check(workspace) : notAvailable('there is no workspace: give the case one, e.g. "workspace": {}')
}

export function requireFilePath(path: string, field: string): void {
  const problem = pathProblem(path)
  if (problem !== undefined) throw new SpecError(`${field}.path`, `"${path}" cannot be used: ${problem}`)
}
