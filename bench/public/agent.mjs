// Does what it is asked to have done: the message is the reply, as JSON.
export default (messages) => JSON.parse(messages.at(-1).content)
