// An answer with its claims marked: what backs each of them, or that nothing does.
import type { ComponentChildren } from 'preact'
import type { Claim, ClaimVerdict } from '../../../../pipeline/claims/claim.js'
import { plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { claimsShown } from '../../data/store.js'
import { Text } from '../text.js'

/** Not by colour alone: a sign before the words, and a line of its own kind below them. */
const SIGNS: Record<ClaimVerdict, string> = { backed: '✓', unbacked: '?', contradicted: '✕' }
const VERDICTS: readonly ClaimVerdict[] = ['backed', 'unbacked', 'contradicted']

export function ClaimedText({ text, claims }: { text: string; claims: readonly Claim[] }) {
  return (
    <div class="message role-assistant">
      <span class="role">Agent</span>
      <div class="block claimed" dir="auto">
        {marked(text, 0, text.length, claims)}
      </div>
    </div>
  )
}

/** Claims may stand inside others: an amount in what was done. */
function marked(text: string, from: number, to: number, claims: readonly Claim[]): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let at = from
  for (const claim of claims) {
    if (claim.start < at || claim.end > to) continue
    const inner = claims.filter((each) => each !== claim && each.start >= claim.start && each.end <= claim.end)
    if (claim.start > at) parts.push(<Text key={`t${at}`} value={text.slice(at, claim.start)} />)
    parts.push(
      <Mark key={`c${claim.start}-${claim.end}-${claim.kind}`} claim={claim}>
        {marked(text, claim.start, claim.end, inner)}
      </Mark>,
    )
    at = claim.end
  }
  if (at < to) parts.push(<Text key={`t${at}`} value={text.slice(at, to)} />)
  return parts
}

function Mark({ claim, children }: { claim: Claim; children: ComponentChildren }) {
  const { verdict, kind, evidence, unseen } = claim
  const why = [evidence, unseen === undefined ? undefined : `not certain: ${unseen}`].filter(Boolean).join('; ')
  return (
    <span class={`claim claim-${verdict}`} tabIndex={0}>
      <span class="claim-sign" aria-hidden="true">
        {SIGNS[verdict]}
      </span>
      {children}
      <span class="claim-note" role="note">
        <b>
          {kind}, {verdict}
        </b>
        {why && `: ${visible(why)}`}
      </span>
    </span>
  )
}

/** How many there are of each, and the switch. */
export function ClaimsBar({ claims }: { claims: readonly Claim[] | undefined }) {
  const counts = VERDICTS.map((verdict) => ({
    verdict,
    count: claims?.filter((claim) => claim.verdict === verdict).length ?? 0,
  }))
  return (
    <p class="claims-bar no-print">
      <button
        type="button"
        class="toggle"
        aria-pressed={claimsShown.value}
        title="Marks what the answers say was done, found or counted"
        onClick={() => (claimsShown.value = !claimsShown.value)}
      >
        Claims
      </button>
      {claims && claims.length === 0 && <span class="muted">The answers claim nothing that rules can check.</span>}
      {claims && claims.length > 0 && (
        <span>
          {plural(claims.length, 'claim')}:{' '}
          {counts.map(({ verdict, count }) => (
            <span key={verdict} class={`claim-count claim-${verdict}`}>
              <span aria-hidden="true">{SIGNS[verdict]}</span> {count} {verdict}{' '}
            </span>
          ))}
        </span>
      )}
    </p>
  )
}
