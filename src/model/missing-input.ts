// The error of a result whose conversation had no next input: the runner writes it, the advice after a run recognises it.

export const NO_NEXT_TURN = 'Agent awaiting input, no next turn defined'
export const NO_FIRST_INPUT = 'no initial input'

export function turnWithoutInput(turn: number): string {
  return `turn ${turn} has no input`
}

export function isMissingInput(error: string | undefined): boolean {
  return error === NO_NEXT_TURN || error === NO_FIRST_INPUT || /^turn \d+ has no input$/.test(error ?? '')
}
