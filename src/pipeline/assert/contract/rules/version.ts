// The version of the protocol is one that exists.
import { finding, hint, type Rule } from '../rule.js'

export const version: Rule = {
  id: 'protocol-version',
  reason: 'a client that does not know the version a server answers with must disconnect',
  fix: 'answer with the version that was asked for if the server supports it, else with the newest one that it does',
  on: ['handshake'],
  judge({ server, probes }) {
    const { protocol, asked_protocol: asked, known_protocols: known } = server
    const [start] = probes
    if (protocol === undefined)
      return start ? [finding('the answer to initialize names no version of the protocol', start)] : []
    if (!known.includes(protocol))
      return [
        finding(
          `the server answers with the version ${JSON.stringify(protocol)}, which does not exist; known: ${known.join(', ')}`,
          start,
        ),
      ]
    return protocol === asked ? [] : [hint(`the server speaks ${protocol}; the newest version is ${asked}`, start)]
  },
}
