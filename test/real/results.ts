// What a real agent did, for the page that users read: written by the tests, never by hand.
import { appendFileSync } from 'node:fs'

/** `cell`: the column of the table. `shown`: the command and output that show what a vendor's tool cannot do. */
export function note(agent: string, cell: string, outcome: 'yes' | 'no' | 'partial', shown?: string): void {
  const file = process.env['VIVA_REAL_RESULTS']
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ agent, cell, outcome, shown })}\n`)
}
