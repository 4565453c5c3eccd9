// Helpers of the agent's hooks and tools; greeting_test.ts tests them.

export function Greeting(name: string, locale: string): string {
  return locale === 'zh-cn' ? `你好，${name}` : `Hello, ${name}`
}
