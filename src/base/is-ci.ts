/** What CI systems set; `CI=false` is how people switch it off. */
export function isCi(env: Record<string, string | undefined>): boolean {
  const value = env['CI']
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false'
}
