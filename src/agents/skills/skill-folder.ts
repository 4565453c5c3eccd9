// A skill as people write it: a folder with a SKILL.md. Whatever would keep agents from offering it is found here, before anything runs.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'
import { UserError, type Problem } from '../../errors.js'
import { isInside } from '../../files/inside.js'
import { isFile, statOf } from '../../files/stat.js'

export interface Skill {
  /** Also of its folder where it is installed; a checkout may be called otherwise. */
  name: string
  description: string
  dir: string
  /** Of all its files: other content is another skill. */
  hash: string
  /** Below its folder, what is put into workspaces. */
  files: SkillFile[]
}

export interface SkillFile {
  path: string
  /** Links inside the folder are followed. */
  from: string
}

/** What a person edits is no more than this; a folder that was named by mistake is. */
const MAX_FILES = 20_000
const MAX_BYTES = 256 * 1024 * 1024
/** Not for the agent: it would find there what it is expected to answer. */
const LEFT_OUT = new Set(['evals', '.git'])

/** `given`: as the person wrote it, relative to `cwd`. Throws a UserError. */
export async function loadSkill(given: string, cwd: string): Promise<Skill> {
  const dir = resolve(cwd, given)
  if (!statOf(dir)?.isDirectory()) throw noFolder(given, dir)
  const file = join(dir, 'SKILL.md')
  if (!isFile(file)) throw noSkill(given, dir)
  const front = await readFront(readFileSync(file, 'utf8'), join(given, 'SKILL.md'))
  const real = realpathSync(dir)
  const { name, description } = requireFront(front, join(given, 'SKILL.md'))
  const files = filesOf(real, given)
  return { name, description, dir: real, hash: hashOf(files), files }
}

async function readFront(
  text: string,
  file: string,
): Promise<{ fields: Record<string, unknown>; line(key: string): number }> {
  const front = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1]
  if (front === undefined)
    throw badSkill(`${file} has no front matter`, [
      { file, line: 1, message: 'it must begin with --- and end with ---' },
    ])
  const { parse } = await import('yaml')
  let fields: unknown
  try {
    fields = parse(front)
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw badSkill(`the front matter of ${file} is not YAML`, [{ file, line: 2, message }])
  }
  if (!isRecord(fields))
    throw badSkill(`the front matter of ${file} is not a list of fields`, [
      { file, line: 2, message: `found ${show(fields, 60)}` },
    ])
  const lines = front.split('\n')
  return { fields, line: (key) => lines.findIndex((line) => line.startsWith(`${key}:`)) + 2 }
}

function requireFront(
  { fields, line }: Awaited<ReturnType<typeof readFront>>,
  file: string,
): Pick<Skill, 'name' | 'description'> {
  const { name, description } = fields
  const problems: Problem[] = []
  const add = (field: string, message: string): void => void problems.push({ file, line: line(field), field, message })
  if (typeof name !== 'string' || name === '')
    add('name', name === undefined ? 'is missing' : `must be text, found ${show(name, 60)}`)
  else if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 64)
    add('name', `must be at most 64 lower-case letters, digits and single hyphens, found ${show(name, 80)}`)
  if (typeof description !== 'string' || description.trim() === '')
    add('description', description === undefined ? 'is missing' : `must be text, found ${show(description, 60)}`)
  if (fields['disable-model-invocation'] === true)
    add('disable-model-invocation', 'is true, so no model is ever offered this skill and there is nothing to test')
  if (problems.length > 0) throw badSkill(`${file} cannot be offered to an agent`, problems)
  return { name: name as string, description: description as string }
}

function filesOf(root: string, given: string): SkillFile[] {
  const files: SkillFile[] = []
  let bytes = 0
  const visit = (folder: string, below: string): void => {
    for (const name of readdirSync(folder).toSorted()) {
      const path = below === '' ? name : `${below}/${name}`
      if (below === '' && LEFT_OUT.has(name)) continue
      const from = join(folder, name)
      const found = lstatSync(from)
      if (found.isDirectory()) {
        visit(from, path)
        continue
      }
      const target = found.isSymbolicLink() ? linkTarget(from, path, root, given) : from
      const { size } = lstatSync(target)
      files.push({ path, from: target })
      bytes += size
      if (files.length > MAX_FILES) throw tooLarge(given, `more than ${MAX_FILES} files`)
      if (bytes > MAX_BYTES) throw tooLarge(given, `more than ${MAX_BYTES / 1024 / 1024} MB`)
      if (!found.isSymbolicLink() && !found.isFile()) throw notAFile(given, path)
    }
  }
  visit(root, '')
  return files
}

/** A file below the same folder, never anything outside. */
function linkTarget(link: string, path: string, root: string, given: string): string {
  let target: string | undefined
  try {
    target = realpathSync(link)
  } catch {
    // It leads nowhere.
  }
  if (target !== undefined && isInside(root, target) && isFile(target)) return target
  throw badSkill(`${join(given, path)} is a link that cannot be followed`, [
    {
      file: join(given, path),
      message: `it leads to ${readlinkSync(link)}: only links to files of the same skill are followed`,
    },
  ])
}

function hashOf(files: SkillFile[]): string {
  const hash = createHash('sha256')
  for (const { path, from } of files) {
    const isExecutable = (lstatSync(from).mode & 0o111) !== 0
    hash.update(`${path}\0${isExecutable ? 'x' : '-'}\0`)
    hash.update(createHash('sha256').update(readFileSync(from)).digest())
  }
  return `sha256:${hash.digest('hex').slice(0, 16)}`
}

function badSkill(message: string, problems: Problem[]): UserError {
  return new UserError({
    code: 'BAD_SKILL',
    message,
    problems,
    hint: 'SKILL.md begins with ---, name: (lower-case letters, digits and hyphens), description: (what it does and when to use it), ---',
  })
}

function noFolder(given: string, dir: string): UserError {
  return new UserError({
    code: 'BAD_SKILL',
    subject: { flag: '-n' },
    message: `no such folder: ${given}`,
    hint:
      basename(dir) === 'SKILL.md'
        ? 'name the folder, not the file'
        : given.startsWith('~/')
          ? `a shell puts in your home folder only where a word begins with ~: -n "skill:$HOME${given.slice(1)}"`
          : 'a skill is a folder with a SKILL.md: -n skill:path/to/folder',
  })
}

function noSkill(given: string, dir: string): UserError {
  const inside = readdirSync(dir).filter((name) => isFile(join(dir, name, 'SKILL.md')))
  const near = readdirSync(dir).find((name) => name.toLowerCase() === 'skill.md')
  return new UserError({
    code: 'BAD_SKILL',
    subject: { flag: '-n' },
    message: `${given} has no SKILL.md`,
    hint:
      near !== undefined
        ? `it has ${near}: the name is written SKILL.md`
        : inside.length > 0
          ? `there are skills in it: ${inside
              .slice(0, 5)
              .map((name) => `skill:${join(given, name)}`)
              .join(', ')}`
          : 'a skill is a folder with a SKILL.md',
  })
}

function notAFile(given: string, path: string): UserError {
  return badSkill(`${join(given, path)} is neither a file nor a folder`, [])
}

function tooLarge(given: string, what: string): UserError {
  return new UserError({
    code: 'BAD_SKILL',
    message: `${given} has ${what}: it is copied into the workspace of every case`,
    hint: 'name the folder of the skill itself, and leave out what it does not need (node_modules, builds)',
  })
}
