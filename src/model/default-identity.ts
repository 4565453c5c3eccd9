// Who is asking, unless specified otherwise.

export const DEFAULT_USER = 'test-user'
export const DEFAULT_TEAM = 'test-team'
export const DEFAULT_LOCALE = 'en-us'
