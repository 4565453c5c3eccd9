// Which lines and functions of users' scripts ran. (placeholder)
import type { FunctionCoverage } from './protocol.js'
export class CoverageCollector {
  readonly root: string
  constructor(root: string) {
    this.root = root
  }
  add(_path: string, _code: string, _functions: FunctionCoverage[]): void {}
}
