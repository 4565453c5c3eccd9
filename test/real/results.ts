// What a real agent did, for the page that users read: written by the tests, never by hand.
import { appendFileSync } from 'node:fs'

/**
 * `agent`: its row; the folder of its package, with more in parentheses if there are several rows of one. `cell`: the column,
 * one of SITUATIONS. `shown`: the command and output that show what a vendor's tool cannot do; needed unless it can.
 */
export function note(agent: string, cell: string, outcome: 'yes' | 'no' | 'partial', shown?: string): void {
  if (outcome !== 'yes' && shown === undefined) throw new Error(`${agent}, ${cell}: say what shows that it cannot`)
  const file = process.env['VIVA_REAL_RESULTS']
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ agent, cell, outcome, shown })}\n`)
}
