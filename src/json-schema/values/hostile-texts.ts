// Texts that break programs which are not careful. None of them leads out of the folder that a tool works in: whatever a tool
// does with a path that it is given, nothing of anybody's is there.

/** A file of this name means that a part of an argument was run as a command. */
export const CANARY = 'viva-canary-71c5'

export interface HostileText {
  value: string
  why: string
  /** It tries to be run. */
  executes: boolean
}

export const hostileTexts: readonly HostileText[] = [
  { value: 'a'.repeat(100_000), why: 'has 100,000 characters', executes: false },
  { value: `$(touch ${CANARY})`, why: 'is a shell substitution', executes: true },
  { value: 'a\u0000b\u001b[31m\u202e', why: 'has control characters', executes: false },
  { value: `'; touch ${CANARY}; echo "`, why: 'closes a quote and goes on with a command', executes: true },
  { value: `viva-none/../viva-none-'"\`%s%n{{7*7}}<script>`, why: 'is full of special characters', executes: false },
  { value: '\ud800', why: 'is half of a surrogate pair', executes: false },
]
