// What can be linted, as plain data: reading is done, so that rules neither open files nor talk to servers.
import type { Place } from './finding.js'

export interface Subject {
  /** `folder`: one that could not be searched. */
  kind: 'skill' | 'server' | 'package' | 'folder'
  /** As people are told it: a folder, or the command of a server. */
  label: string
  skill?: Skill
  lists: ToolList[]
  texts: Instructions[]
  folder?: Folder
  loaded?: LoadedPackage
}

/** The files whose words were judged. */
export function filesOf({ skill, texts, lists, loaded }: Subject): string[] {
  return [
    ...(skill ? [skill.file, ...skill.evals.map(({ file }) => file)] : []),
    ...texts.map(({ file }) => file),
    ...lists.flatMap(({ items }) => items.flatMap(({ place }) => place.file ?? [])),
    ...(loaded ? [loaded.file] : []),
  ]
}

/** What a rule can look at. Rules on `skills` see those that an agent is offered together. */
export interface Aspects {
  skill: Skill
  skills: Skill[]
  list: ToolList
  text: Instructions
  texts: Instructions[]
  folder: Folder
  package: LoadedPackage
}

export interface Skill {
  file: string
  /** The name of its folder; undefined where that name is an accident, as in a checkout. */
  folderName: string | undefined
  /** The folder that holds it: skills side by side are offered together. */
  parent: string
  /** Undefined: there is none, or `problem` says why it cannot be read. */
  fields: Map<string, Field> | undefined
  problem: { message: string; line: number; column: number } | undefined
  body: Instructions
  evals: EvalFile[]
}

export interface Field {
  value: unknown
  line: number
  column: number
}

/** Text that a model is told to follow. `firstLine`: where it starts in its file. */
export interface Instructions {
  file: string
  firstLine: number
  text: string
  /** What its references are relative to: everything in the folder, by path. */
  paths: ReadonlySet<string>
  /** Of the links out of the folder, those that lead somewhere. */
  outside: ReadonlySet<string>
  /** The folder of the file, relative to where `paths` begin; '' for that folder itself. */
  base: string
  /** SKILL.md or a prompt, not a document that it refers to. */
  isMain: boolean
  /** Tools of the package by full name; undefined where they are not known. */
  tools: ReadonlySet<string> | undefined
}

export interface ToolList {
  label: string
  /** Servers annotate their tools; the tools of a package have no annotations. */
  isServer: boolean
  items: ListedItem[]
}

export interface ListedItem {
  kind: 'tool' | 'prompt' | 'resource' | 'template'
  name: string
  description: string | undefined
  inputSchema: unknown
  outputSchema: unknown
  annotations: Record<string, unknown> | undefined
  /** Of a prompt. */
  arguments: Array<{ name: string; description: string | undefined }>
  place: Place
  /** As it is sent to a model: what its size is measured by. */
  text: string
  /** Every text in it: titles, annotations and schemas, too. */
  texts: string[]
}

export interface Folder {
  /** Links that lead out of it or nowhere; they are not followed. */
  links: Array<{ file: string; leads: 'out' | 'nowhere' }>
  secrets: SecretSpot[]
  unread: Array<Place & { reason: string }>
}

export interface SecretSpot extends Place {
  /** The rule of the redactor that recognised it. The secret itself is not kept. */
  kind: string
}

export interface EvalFile {
  file: string
  problems: Array<{ line?: number; column?: number; message: string }>
  skillName: string | undefined
  /** Expectations of which a part needs no judge. */
  checkable: Array<{ expectation: string; check: object; line: number }>
}

/** What the loader of packages says. */
export interface LoadedPackage {
  /** Its `package.yao`. */
  file: string
  problems: Array<Place & { message: string; fix?: string }>
  warnings: Array<Place & { message: string }>
}
