// An exec agent without any package.
import { text } from 'node:stream/consumers'
import { converse } from './ask.mjs'

const { messages } = JSON.parse(await text(process.stdin))
console.log(await converse(messages))
