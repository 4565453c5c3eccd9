// What the benchmark needs of the product, in one bundle.
export { normalizeCase } from '../../src/model/case-normalize.js'
export { mineCase } from '../../src/suite/mine/mine.js'
export { learn, mutateCase } from '../../src/suite/mutate/mutate.js'
export { mutantsOf } from '../../src/suite/mutate/mutants.js'
export { openStages } from '../../src/suite/stage.js'
export { passedTrivially } from '../../src/suite/trivial/vacuous.js'
