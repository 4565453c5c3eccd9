// `--descriptions FILE`: other words for the tools that a model is offered.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { canonicalJson } from '../base/json/canonical-json.js'
import { messageOf } from '../base/message-of.js'
import { isRecord } from '../base/record.js'
import { show } from '../base/text.js'
import { UserError } from '../errors.js'
import { statOf } from '../files/stat.js'
import type { ToolDescriptions } from '../model/agent.js'
import type { VariantSpec } from '../model/variant.js'

/** The variants, with what their files say. */
export function describeVariants(variants: VariantSpec[], cwd: string): VariantSpec[] {
  return variants.map((spec) =>
    spec.descriptions === undefined ? spec : { ...spec, described: readDescriptions(spec.descriptions, cwd) },
  )
}

/** A resumed run must go on with the same words. */
export function descriptionsHash({ described }: VariantSpec): string | undefined {
  return described && createHash('sha256').update(canonicalJson(described)).digest('hex')
}

function readDescriptions(path: string, cwd: string): ToolDescriptions {
  const file = resolve(cwd, path)
  if (!statOf(file)?.isFile())
    throw badDescriptions(path, 'there is no such file', 'the path is relative to the folder the command is run in')
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw badDescriptions(path, messageOf(error))
  }
  if (!isRecord(value)) throw badDescriptions(path, `expected an object of tools, found ${show(value)}`)
  const entries = Object.entries(value).map(([tool, written]) => [tool, entryOf(tool, written, path)] as const)
  if (entries.length === 0) throw badDescriptions(path, 'it describes no tool')
  return Object.fromEntries(entries)
}

function entryOf(tool: string, written: unknown, path: string): ToolDescriptions[string] {
  if (typeof written === 'string') return { description: written }
  if (!isRecord(written)) throw badDescriptions(path, `${tool} must be a description, found ${show(written)}`)
  const { description, arguments: args, ...others } = written
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw badDescriptions(path, `${tool} has an unknown field "${unknown}": it takes description and arguments`)
  if (description !== undefined && typeof description !== 'string')
    throw badDescriptions(path, `${tool}.description must be a text, found ${show(description)}`)
  if (args !== undefined && (!isRecord(args) || Object.values(args).some((text) => typeof text !== 'string')))
    throw badDescriptions(path, `${tool}.arguments must be an object of texts, found ${show(args)}`)
  if (description === undefined && (args === undefined || Object.keys(args).length === 0))
    throw badDescriptions(path, `${tool} says nothing: give a description, or descriptions of its arguments`)
  return {
    ...(description !== undefined && { description }),
    ...(args !== undefined && { arguments: args as Record<string, string> }),
  }
}

const FORM = 'write {"tool": "description"} or {"tool": {"description": "…", "arguments": {"name": "description"}}}'

export function badDescriptions(path: string, message: string, hint = FORM): UserError {
  return new UserError({
    code: 'BAD_DESCRIPTIONS',
    subject: { flag: '--descriptions' },
    message: `${path}: ${message}`,
    hint,
  })
}
