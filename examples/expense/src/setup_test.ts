// @ts-nocheck
// Sees the functions of setup.ts without importing them, exported or not.

function TestSystemReady(t: testing.T, ctx: agent.Context) {
  t.assert.True(SystemReady(ctx), 'SystemReady should return true')
}

function TestSystemReadyWithoutUser(t: testing.T, ctx: agent.Context) {
  ctx.User = null
  t.assert.False(SystemReady(ctx), 'SystemReady should return false when user is null')
}

function TestSetupKeepsTheOwner(t: testing.T, ctx: agent.Context) {
  const result = Setup(ctx, createClaim())
  t.assert.NotNil(result, 'Setup should return a result')
  t.assert.Equal(result.owner, 'test-user', 'the caller owns the claim')
}

function TestSetupRefusesANamelessClaim(t: testing.T, ctx: agent.Context) {
  t.assert.Error(Setup(ctx, { id: 1, name: '' }).error, 'Should return error for missing name')
}

function TestCurrencyFollowsTheLocale(t: testing.T, ctx: agent.Context) {
  t.assert.Equal(currencyOf('zh-cn'), 'CNY')
}

function createClaim() {
  return { id: 1, name: 'flight' }
}
