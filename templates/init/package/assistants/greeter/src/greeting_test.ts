// The functions of greeting.ts are known here without it; the import is for the editor.
import { Greeting } from './greeting'

function TestGreetingUsesTheName(t: testing.T, ctx: agent.Context) {
  t.assert.Equal(Greeting('Ada', ctx.Locale), 'Hello, Ada')
}

function TestGreetingFollowsTheLocale(t: testing.T, ctx: agent.Context) {
  t.assert.Contains(Greeting('Ada', 'zh-cn'), '你好')
}
