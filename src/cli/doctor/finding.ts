// What `viva doctor` found out, one line each.

export interface Finding {
  /** `bad`: something will not work. `note`: it works, but the reader should know. */
  state: 'good' | 'note' | 'bad'
  what: string
  text: string
  /** What to do about it. */
  hint?: string
}

export const good = (what: string, text: string): Finding => ({ state: 'good', what, text })
export const note = (what: string, text: string, hint: string): Finding => ({ state: 'note', what, text, hint })
export const bad = (what: string, text: string, hint: string): Finding => ({ state: 'bad', what, text, hint })
