// All rules. A rule is a row in a file of `rules/`; docs/trust/lint.md lists them by id.
import type { Rule } from './rule.js'
import { FOLDER } from './rules/folder.js'
import { OVERLAP } from './rules/overlap.js'
import { SCHEMAS } from './rules/schemas.js'
import { SKILL_HEAD } from './rules/skill-head.js'
import { SKILL_TEXT } from './rules/skill-text.js'
import { TEXTS } from './rules/texts.js'
import { TOOLS } from './rules/tools.js'

export const RULES: readonly Rule[] = [
  ...SKILL_HEAD,
  ...SKILL_TEXT,
  ...TOOLS,
  ...SCHEMAS,
  ...OVERLAP,
  ...TEXTS,
  ...FOLDER,
]
