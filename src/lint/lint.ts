// Subjects in, findings out. Pure: reading is done before.
import type { Finding, Found, Severity } from './finding.js'
import { RULES } from './registry.js'
import type { Rule, RuleOn } from './rule.js'
import { sizeOf } from './rules/tools.js'
import type { Aspects, Skill, Subject } from './subject.js'
import { estimateTokens } from './text/tokens.js'

export interface LintReport {
  subjects: SubjectReport[]
  findings: Finding[]
  errors: number
  warnings: number
  notes: number
}

export interface SubjectReport {
  kind: Subject['kind']
  label: string
  /** Estimated: of the instructions of a skill, of the tools of a server or package. */
  tokens: number
  tools?: number
}

export function lintSubjects(subjects: readonly Subject[], disabled: ReadonlySet<string> = new Set()): LintReport {
  const rules = RULES.filter(({ id }) => !disabled.has(id))
  const found = [...subjects.flatMap((subject) => lintOne(subject, rules)), ...lintTogether(subjects, rules)]
  const order = new Map(subjects.map(({ label }, index) => [label, index]))
  // A folder that is a skill and a package is read as both.
  const distinct = new Map(found.map((finding) => [JSON.stringify(finding), finding]))
  const findings = [...distinct.values()].toSorted(
    (a, b) =>
      (order.get(a.subject) ?? 0) - (order.get(b.subject) ?? 0) ||
      (a.file ?? '').localeCompare(b.file ?? '', 'en') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  )
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length
  return {
    subjects: subjects.map(reportOf),
    findings,
    errors: count('error'),
    warnings: count('warning'),
    notes: count('note'),
  }
}

function lintOne(subject: Subject, rules: readonly Rule[]): Finding[] {
  const { label, skill, lists, texts, folder, loaded } = subject
  return [
    ...apply('skill', rules, label, skill ? [skill] : []),
    ...apply('list', rules, label, lists),
    ...apply('text', rules, label, texts),
    ...apply('texts', rules, label, [texts]),
    ...apply('folder', rules, label, folder ? [folder] : []),
    ...apply('package', rules, label, loaded ? [loaded] : []),
  ]
}

/** Skills side by side are offered together. A finding belongs to the skill whose file it names. */
function lintTogether(subjects: readonly Subject[], rules: readonly Rule[]): Finding[] {
  const groups = new Map<string, Skill[]>()
  const labels = new Map<string, string>()
  for (const { skill, label } of subjects) {
    if (!skill) continue
    groups.set(skill.parent, [...(groups.get(skill.parent) ?? []), skill])
    labels.set(skill.file, label)
  }
  return [...groups.values()].flatMap((skills) =>
    apply('skills', rules, '', [skills]).map((finding) => ({
      ...finding,
      subject: labels.get(finding.file ?? '') ?? finding.subject,
    })),
  )
}

function apply<Aspect extends keyof Aspects>(
  on: Aspect,
  rules: readonly Rule[],
  subject: string,
  aspects: readonly Aspects[Aspect][],
): Finding[] {
  const own = rules.filter((rule) => rule.on === on) as unknown as RuleOn<Aspect>[]
  return own.flatMap(({ id, severity, reason, fix, find }) =>
    aspects.flatMap((aspect) =>
      Array.from(find(aspect), (found: Found): Finding => ({
        rule: id,
        severity,
        subject,
        ...found,
        reason,
        fix: found.fix ?? fix,
      })),
    ),
  )
}

function reportOf({ kind, label, skill, lists }: Subject): SubjectReport {
  if (skill) return { kind, label, tokens: estimateTokens(skill.body.text) }
  if (kind === 'folder') return { kind, label, tokens: 0 }
  const sizes = lists.map(sizeOf)
  return {
    kind,
    label,
    tokens: sizes.reduce((sum, { tokens }) => sum + tokens, 0),
    tools: sizes.reduce((sum, { count }) => sum + count, 0),
  }
}
