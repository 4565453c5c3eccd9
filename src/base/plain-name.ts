// Names that become file names: the same on every system, and nothing but a name.

/** As people are told it. */
export const PLAIN_NAME_RULE = '[A-Za-z0-9][A-Za-z0-9._-]{0,63}'
export const PLAIN_NAME = new RegExp(`^${PLAIN_NAME_RULE}$`)
