// What a failure message says once ids and numbers are left out: messages with the same cause are one group.

/** Equal for messages that differ only in ids, numbers, times and addresses. */
export function failureCause(message: string): string {
  return (
    message
      .slice(0, MOST_CHARACTERS)
      .replace(NUMBERED, (part) => (TELLING.test(part) ? part : '…'))
      // Lists of different lengths.
      .replace(/…(?:[\s,:.;/-]*…)+/g, '…')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

const MOST_CHARACTERS = 400

/** 401 and 503 are different failures, and so are exit codes 1 and 137: such numbers stay. */
const TELLING = /^(?:HTTP|status|code|answered|signal)[ :=]/i

/** A telling number with the word before it; else any word with a digit: `30s`, a UUID, `req_8f3a`, `T002`, a time of day. */
const NUMBERED =
  /\b(?:HTTP|status|code|answered|signal)[ :=]+\d{1,3}(?![\p{L}\p{N}_.])|[\p{L}_-]*\p{N}[\p{L}\p{N}_:.,+-]*(?<![:.,])/giu
