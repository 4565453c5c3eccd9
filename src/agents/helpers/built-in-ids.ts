// The helper agents that ship with Viva, by role.
import type { HelperRole } from '../../model/helper.js'

export const BUILTIN_HELPERS = ['viva.judge', 'viva.user', 'viva.cases'] as const

export type BuiltinHelper = (typeof BUILTIN_HELPERS)[number]

export function isBuiltinHelper(id: string): id is BuiltinHelper {
  return (BUILTIN_HELPERS as readonly string[]).includes(id)
}

/** The helper used if no agent id is given. A reporter must be named. */
export function builtinHelperFor(role: HelperRole): string {
  switch (role) {
    case 'validator':
      return 'viva.judge'
    case 'simulator':
      return 'viva.user'
    case 'generator':
      return 'viva.cases'
    case 'reporter':
      throw new TypeError('a reporter agent must be named')
  }
}
