/** A message with the frames of the script below it. */
export function withFrames(message: string, stack: string | undefined): string {
  const frames = stack?.split('\n').filter((line) => /^\s+(?:at |---)/.test(line)) ?? []
  return frames.length === 0 ? message : `${message}\n${frames.join('\n')}`
}
