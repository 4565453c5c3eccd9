// Answers have the shape that the protocol gives them.
import { called, EVERYTHING, finding, isUnknownPing, type Rule } from '../rule.js'

export const protocol: Rule = {
  id: 'protocol',
  reason: 'clients that check answers against the protocol refuse what does not fit it',
  fix: 'return what the specification describes for this request: results of tools have a list "content", errors a code and a message',
  on: EVERYTHING,
  judge({ subject, probes }) {
    return probes.flatMap((probe) => {
      if (subject.kind === 'handshake' && isUnknownPing(probe))
        return [
          finding('ping is refused as an unknown method; every server has to answer it with an empty result', probe),
        ]
      return probe.protocol
        ? [finding(`the answer to ${called(probe)} does not fit the protocol: ${probe.protocol.join('; ')}`, probe)]
        : []
    })
  },
}
