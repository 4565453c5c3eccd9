// Stands in for an agent that takes a while.
export async function run(messages) {
  await new Promise((resolve) => setTimeout(resolve, 20))
  return `You said: ${messages.at(-1).content}`
}
