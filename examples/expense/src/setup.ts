// What the assistant prepares before it talks: plain functions, tested by setup_test.ts.

interface Claim {
  id: number
  name: string
}

export function SystemReady(ctx: agent.Context): boolean {
  return ctx.User !== null && ctx.User.ID !== ''
}

export function Setup(ctx: agent.Context, claim: Claim) {
  if (!claim.name) return { error: new Exception('a claim needs a name', 400) }
  return { ...claim, owner: ctx.User.ID, currency: currencyOf(ctx.Locale) }
}

function currencyOf(locale: string): string {
  return locale === 'zh-cn' ? 'CNY' : 'USD'
}
