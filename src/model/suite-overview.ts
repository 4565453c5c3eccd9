// What `viva mutate` found, as a page shows it: sentences and tables, nothing left to compute.

export interface SuiteOverview {
  /** One line: the score. */
  score: string
  sections: SuiteSection[]
}

export interface SuiteSection {
  title: string
  head: string[]
  rows: string[][]
  /** Rows that are left out. */
  more: number
}
