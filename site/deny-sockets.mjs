// Preloaded into the build: a page that needs the network would not be built twice the same.
import dns from 'node:dns'
import net from 'node:net'
import { syncBuiltinESMExports } from 'node:module'

function refuse() {
  throw new Error('the site is built without network')
}

net.Socket.prototype.connect = refuse
net.connect = net.createConnection = refuse
dns.lookup = dns.resolve = dns.promises.lookup = dns.promises.resolve = refuse
syncBuiltinESMExports()
