/* oxlint-disable no-unused-vars -- what an endpoint needs differs */
// Sends each prompt as the http provider of promptfoo did.
export async function run(messages, { metadata: vars }, { signal }) {
  const prompt = messages.length === 1 ? messages[0].content : JSON.stringify(messages)
  const response = await fetch(__URL__, {
    method: __METHOD__,
    headers: __HEADERS__,
    body: __BODY__,
    signal,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${text.slice(0, 500)}`)
  const answer = answerIn(parsed(text), text)
  if (answer === undefined || answer === null) throw new Error(`no answer in ${text.slice(0, 500)}`)
  return typeof answer === 'string' ? answer : JSON.stringify(answer)
}

function answerIn(json, text) {
  return __ANSWER__
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
// __QUERY__
