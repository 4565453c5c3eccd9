// Why an MCP server breaks its contract: each rule says it itself.
import { contractFinding } from '../../../../model/contract-text.js'
import type { Rule } from '../facts.js'

export const CONTRACT_RULES: readonly Rule[] = [
  {
    id: 'contract',
    find: ({ wrong }) => {
      const finding = wrong.assertion && contractFinding(wrong.assertion)
      return finding && { certainty: 'certain', cause: finding.reason, try: [finding.fix] }
    },
  },
]
