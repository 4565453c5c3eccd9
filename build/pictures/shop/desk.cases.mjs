export { cases as default } from './desk.mjs'
