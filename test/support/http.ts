// An HTTP client for tests, closed after the last of a file. It knows no proxy, whatever the machine is set to.
import { afterAll } from 'vitest'
import { openHttp } from '../../src/http/open-http.js'

export const http = openHttp({ env: {} })

afterAll(() => http.close())
