// One key for a case of a variant, and one for a run of it: whatever is kept per case is kept under these.

declare const KIND: unique symbol

/** A case of a variant. */
export type CaseKey = string & { readonly [KIND]: 'case' }
/** One run of it. */
export type RunKey = string & { readonly [KIND]: 'run' }

export interface CaseName {
  id: string
  /** Absent if there is only one. */
  variant?: string | undefined
}

export interface RunName extends CaseName {
  run: number
}

/** A variant's name has no control characters, so no two cases share a key. */
export function caseKey({ id, variant = '' }: CaseName): CaseKey {
  return `${variant}\0${id}` as CaseKey
}

export function runKey({ id, variant = '', run }: RunName): RunKey {
  return `${run}\0${variant}\0${id}` as RunKey
}

/** For people: `T001`, `T001 · fast`. A variant's name has no `·`, so no two cases of a run share a title. */
export function caseTitle({ id, variant }: CaseName): string {
  return variant === undefined ? id : `${id} · ${variant}`
}
