// Paths that stay inside the folder they start from, judged by their text alone and the same on every system. Where
// links lead is another question.

const MAX_PART_BYTES = 255
const MAX_PATH_BYTES = 1024

/** What is wrong with a path before the disk is consulted, on any system. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'it is empty'
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'it has a control character in it'
  if (hasLoneSurrogate(path)) return 'it is not valid Unicode'
  if (path.includes('\\')) return 'it has a backslash in it: write paths with "/"'
  const parts = path.split('/')
  // A drive letter after "./" is still a drive letter.
  if (parts[0] === '' || parts.some((part) => /^[A-Za-z]:/.test(part)))
    return 'it is absolute, so it is outside the workspace'
  if (parts.includes('..')) return 'it has ".." in it, so it may lead outside the workspace'
  if (parts.includes('')) return 'it must name a file, without "//" and without "/" at its end'
  if (parts.every((part) => part === '.')) return 'it names the workspace itself'
  if (parts.some((part) => Buffer.byteLength(part) > MAX_PART_BYTES))
    return `a name in it exceeds ${MAX_PART_BYTES} bytes`
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `it exceeds ${MAX_PATH_BYTES} bytes`
  return undefined
}

export function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '.')
}

/** Half a pair of surrogates cannot be written to a file: it would come back as another character. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Cs}/u.test(text)
}
