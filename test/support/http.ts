// An HTTP client for tests. It knows no proxy, whatever the machine is set to. Its connections keep no process alive, so
// that it need not be closed.
import { openHttp } from '../../src/http/open-http.js'

export const http = openHttp({ env: {} })
