/** The suggestion for failed assertions: it says nothing that a report with the details does not show. */
export const SEE_DETAILS = 'Some assertions failed. Re-run with --json to inspect trace details.'
