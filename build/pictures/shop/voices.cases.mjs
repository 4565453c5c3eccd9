export { cases as default } from './voices.mjs'
