// Keys that may stand anywhere in a case: notes of the author, and what editors and other tools put there.

export const FREE_KEY = /^(?:description|comment|notes|\$schema|_.*|x-.*)$/s

export function isFreeKey(name: string): boolean {
  return FREE_KEY.test(name) && name !== '__proto__'
}
