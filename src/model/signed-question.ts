// A question whose answer must repeat a nonce: a verdict that was quoted, guessed or echoed does not have it.

export interface SignedQuestion {
  nonce: string
  text: string
  schema: Record<string, unknown>
  /** How the same was asked before verdicts were signed: older recordings hold that. */
  older: { text: string; schema: Record<string, unknown> }
}
