// The strings of a list can be the lines of one text: a private key or a `.netrc` entry continues from one to the next.

export class LineMemory {
  #inKey = false
  #entry = ''

  /** `redact` sees the lines that belong together; what it returns for the last of them is the result. */
  next(line: string, redact: (text: string) => string): string {
    if (this.#inKey && KEY_LINE.test(line)) {
      this.#inKey = !KEY_END.test(line)
      return '[PRIVATE_KEY]'
    }
    this.#inKey = KEY_BEGIN.test(line) && !KEY_END.test(line)
    this.#entry = ENTRY.test(line) ? line : this.#entry !== '' && ENTRY_PART.test(line) ? `${this.#entry}\n${line}` : ''
    if (!this.#entry.includes('\n')) return redact(line)
    return redact(this.#entry).split('\n').at(-1) ?? ''
  }
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
/** Anything else means that only the words were mentioned. */
const KEY_LINE = /^\s*(?:[A-Za-z0-9+/=]{0,100}|[A-Z][A-Za-z-]{1,20}: .{0,100}|-----END .*)\s*$/
const ENTRY = /^\s*(?:machine\s+\S|default\s*$)/
const ENTRY_PART = /^\s*(?:login|account|password)\s/
