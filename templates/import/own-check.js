// Calls the check in FILE as promptfoo does.
import * as exported from './FILE'
import { checkOf } from 'viva:promptfoo/own-check'

export const Check = checkOf(exported, 'FILE', 'NAME')
