// `export default defineCases([…])` in a file that `-i` names: types for cases written in TypeScript.
import type { WrittenCase } from './case-schema.js'

/** Returns the cases unchanged. */
export function defineCases(cases: readonly WrittenCase[]): readonly WrittenCase[] {
  return cases
}
