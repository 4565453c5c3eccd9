// What the benchmark needs of the product, in one bundle.
export { claimsOfRecord } from '../../src/pipeline/claims/claims-in.js'
