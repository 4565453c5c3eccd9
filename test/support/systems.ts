// Some tests look at other processes as only Linux shows them, or do what only Linux contains.
import { test } from 'vitest'

export const onLinux = test.runIf(process.platform === 'linux')
