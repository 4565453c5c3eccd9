// What the benchmark needs of the product, in one bundle.
export { firstBadStep, STEP_RULES } from '../../src/pipeline/report/blame/first-bad-step.js'
