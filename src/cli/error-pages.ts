// What an error code means, as `viva explain CODE` prints it.
import { ERROR_CODES } from '../model/error-codes.js'

/** Undefined for what is not a code. */
export function errorPage(code: string): string | undefined {
  const page = Object.entries(ERROR_CODES).find(([name]) => name === code)?.[1]
  if (!page) return undefined
  const [meaning, remedy] = page
  return `${code}\n${plain(meaning)}\n\n  try       ${plain(remedy)}\n`
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '')
}
