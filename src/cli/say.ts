// What is said beside the answer: on standard error, a line each.
export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

export function warn(text: string): void {
  process.stderr.write(`warning: ${text}\n`)
}
