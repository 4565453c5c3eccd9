// What a case written by a model would run or read on this machine. Such cases are refused unless a person allows them.
import type { Problem } from '../../errors.js'

const HOOKS = ['before', 'after', 'workspace']
// Keys that name something to call: an agent id is harmless, a program or a script is not.
const CALLS = new Set(['use', 'script'])
const SOURCES = new Set(['source', 'url', 'file'])

export function actionsIn(value: unknown, field: string): Problem[] {
  if (typeof value !== 'object' || value === null) return []
  const problems: Problem[] = []
  for (const hook of HOOKS) {
    if (Object.hasOwn(value, hook))
      problems.push({ field: `${field}.${hook}`, message: `a generated case may not have "${hook}"` })
  }
  walk(value, field, problems)
  return problems
}

function walk(value: unknown, field: string, problems: Problem[]): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => walk(item, `${field}[${index}]`, problems))
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    const where = `${field}.${key}`
    if (typeof item === 'string') checkText(key, item, where, problems)
    else walk(item, where, problems)
  }
}

function checkText(key: string, text: string, field: string, problems: Problem[]): void {
  if (key === 'type' && text === 'script') problems.push({ field, message: 'a generated case may not call a script' })
  else if (CALLS.has(key) && runsSomething(text))
    problems.push({ field, message: `a generated case may not call "${text}"` })
  else if (SOURCES.has(key) && /^(?:file|https?):/i.test(text)) {
    problems.push({ field, message: `a generated case may not read "${text}"` })
  }
}

function runsSomething(use: string): boolean {
  return /^(?:scripts[:.]|exec:|acp:|mcp:|a2a:|https?:|orchestrator:)/i.test(use) || /[\\/]/.test(use)
}
