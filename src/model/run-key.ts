// One text for one case of one variant, and for one run of it: whatever is kept by case is kept under these.

declare const KIND: unique symbol

/** A case of a variant. */
export type CaseKey = string & { readonly [KIND]: 'case' }
/** One run of it. */
export type RunKey = string & { readonly [KIND]: 'run' }

export interface CaseName {
  id: string
  /** Absent where there is only one. */
  variant?: string | undefined
}

export interface RunName extends CaseName {
  run: number
}

/** A variant's name has no control characters, so that no two cases have one key. */
export function caseKey({ id, variant = '' }: CaseName): CaseKey {
  return `${variant}\0${id}` as CaseKey
}

export function runKey({ id, variant = '', run }: RunName): RunKey {
  return `${run}\0${variant}\0${id}` as RunKey
}

/** For people: `T001`, `T001 · fast`. A variant's name has no `·`, so that in one run no two cases have one title. */
export function caseTitle({ id, variant }: CaseName): string {
  return variant === undefined ? id : `${id} · ${variant}`
}
