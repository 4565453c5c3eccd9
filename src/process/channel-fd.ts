/** Where a program finds its private channel to us (`ProcessSpec.channel`). */
export const CHANNEL_FD = 3
