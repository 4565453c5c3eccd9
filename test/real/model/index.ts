// The loopback model server, whole.
export * from './behaviour.js'
export * from './server.js'
