// The head of a SKILL.md: is there one, does it say who the skill is, by the convention of Agent Skills.
import { suggest } from '../../base/suggest.js'
import { show } from '../../base/text.js'
import { defineRule } from '../rule.js'
import type { Field, Skill } from '../subject.js'

const LONGEST_NAME = 64
const LONGEST_COMPATIBILITY = 500
const FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
/** Fields of single agents; a skill may have them, and others ignore them. */
const AGENT_FIELDS = [
  'agent',
  'argument-hint',
  'arguments',
  'context',
  'disable-model-invocation',
  'effort',
  'hooks',
  'model',
  'paths',
  'shell',
  'user-invocable',
  'version',
  'when_to_use',
]

export const SKILL_HEAD = [
  defineRule({
    id: 'skill-frontmatter',
    on: 'skill',
    severity: 'error',
    summary: 'SKILL.md has no frontmatter, or one that is not YAML',
    reason: 'Agents read name and description from it; without them the skill is not offered.',
    fix: 'Start the file with ---, name: …, description: …, and --- on a line of its own; quote a text that contains ": ".',
    *find({ file, problem }) {
      if (problem) yield { file, ...problem }
    },
  }),
  defineRule({
    id: 'skill-file-name',
    on: 'skill',
    severity: 'warning',
    summary: 'the file is not called SKILL.md in capitals',
    reason: 'On file systems that tell case apart, agents look for SKILL.md and find nothing.',
    fix: 'Rename it to SKILL.md.',
    *find({ file }) {
      if (!file.endsWith('SKILL.md')) yield { file, message: `the file is called ${baseName(file)}` }
    },
  }),
  defineRule({
    id: 'skill-name-missing',
    on: 'skill',
    severity: 'error',
    summary: 'a skill without a name',
    reason: 'The name is how an agent, and the person using it, calls the skill.',
    fix: 'Add name: with the name of the folder.',
    *find(skill) {
      if (!skill.fields || textField(skill, 'name') !== undefined) return
      yield { file: skill.file, ...startOf(skill, 'name'), message: missing(skill.fields.get('name'), 'name') }
    },
  }),
  defineRule({
    id: 'skill-name-invalid',
    on: 'skill',
    severity: 'error',
    summary: 'a name that the convention does not allow',
    reason: 'Agents refuse such a name, or change it, so that nobody can call the skill by it.',
    fix: `Use 1 to ${LONGEST_NAME} lowercase letters, digits and single hyphens, with a letter or digit at both ends.`,
    *find(skill) {
      const name = textField(skill, 'name')
      const wrong = name === undefined ? undefined : nameProblem(name)
      if (wrong !== undefined)
        yield { file: skill.file, ...startOf(skill, 'name'), message: `${show(name, 80)} ${wrong}` }
    },
  }),
  defineRule({
    id: 'skill-name-folder',
    on: 'skill',
    severity: 'error',
    summary: 'the name is not the name of the folder',
    reason: 'By the convention they are equal: some agents call a skill by its folder, others by its name.',
    fix: 'Rename one of them.',
    *find(skill) {
      const name = textField(skill, 'name')
      const { folderName } = skill
      if (
        name === undefined ||
        nameProblem(name) !== undefined ||
        folderName === undefined ||
        name.normalize('NFKC') === folderName.normalize('NFKC')
      )
        return
      yield {
        file: skill.file,
        ...startOf(skill, 'name'),
        message: `the name is ${show(name, 80)}, the folder ${show(folderName, 80)}`,
      }
    },
  }),
  defineRule({
    id: 'skill-field-invalid',
    on: 'skill',
    severity: 'warning',
    summary: 'an optional field with a value of the wrong kind, or too long',
    reason: 'Agents that check the convention refuse the skill or ignore the field.',
    fix: `compatibility: text of at most ${LONGEST_COMPATIBILITY} characters; metadata: texts by name; allowed-tools: names separated by blanks.`,
    *find(skill) {
      for (const [name, { value, line, column }] of skill.fields ?? []) {
        const wrong = fieldProblem(name, value)
        if (wrong !== undefined) yield { file: skill.file, line, column, message: wrong }
      }
    },
  }),
  defineRule({
    id: 'skill-field-unknown',
    on: 'skill',
    severity: 'note',
    summary: 'a field that neither the convention nor a known agent has',
    reason: 'It is ignored, and strict validators refuse it.',
    fix: 'Move it below metadata:, or remove it.',
    *find(skill) {
      for (const [name, { line, column }] of unknownFields(skill))
        if (nearOf(skill, name) === undefined)
          yield { file: skill.file, line, column, message: `the field ${show(name, 80)} is not part of the convention` }
    },
  }),
  defineRule({
    id: 'skill-field-misspelled',
    on: 'skill',
    severity: 'warning',
    summary: 'a field that is almost one of the convention',
    reason: 'A misspelled field is ignored without a word.',
    fix: 'Write the field as the convention does.',
    *find(skill) {
      for (const [name, { line, column }] of unknownFields(skill)) {
        const near = nearOf(skill, name)
        if (near === undefined) continue
        const message = `the field ${show(name, 80)} is unknown; did you mean ${near}?`
        yield { file: skill.file, line, column, message, fix: `Write ${near}.` }
      }
    },
  }),
]

/** A field that is a text with something in it. */
export function textField({ fields }: Skill, name: string): string | undefined {
  const value = fields?.get(name)?.value
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Where a field is; the start of the file if it is not there. */
export function startOf({ fields }: Skill, name: string): { line: number; column: number } {
  const { line, column } = fields?.get(name) ?? { line: 1, column: 1 }
  return { line, column }
}

export function missing(field: Field | undefined, name: string): string {
  if (!field) return `there is no ${name}`
  return typeof field.value === 'string' || field.value === null ? `the ${name} is empty` : `the ${name} is not text`
}

function nameProblem(name: string): string | undefined {
  const given = name.normalize('NFKC')
  if (given.length > LONGEST_NAME) return `has ${given.length} characters, at most ${LONGEST_NAME} are allowed`
  if (given !== given.toLowerCase()) return 'has capital letters'
  if (/^-|-$/.test(given)) return 'begins or ends with a hyphen'
  if (given.includes('--')) return 'has two hyphens in a row'
  return /^[\p{L}\p{N}-]+$/u.test(given) ? undefined : 'has characters other than letters, digits and hyphens'
}

function fieldProblem(name: string, value: unknown): string | undefined {
  if (name === 'compatibility') {
    if (typeof value !== 'string') return 'compatibility is not text'
    return value.length > LONGEST_COMPATIBILITY ? `compatibility has ${value.length} characters` : undefined
  }
  if (name === 'metadata')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : 'metadata is not a list of "name: text"'
  if (name === 'allowed-tools') {
    const isNames =
      typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return isNames ? undefined : 'allowed-tools is neither text nor a list of texts'
  }
  return undefined
}

function unknownFields({ fields = new Map<string, Field>() }: Skill): Array<[string, Field]> {
  return [...fields].filter(([name]) => !FIELDS.includes(name) && !AGENT_FIELDS.includes(name))
}

function nearOf({ fields }: Skill, name: string): string | undefined {
  return suggest(
    name,
    FIELDS.filter((field) => fields?.has(field) !== true),
  )
}

function baseName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
}
