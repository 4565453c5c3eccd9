// A time in the name of a file: local, sortable, without characters that some systems refuse.

export function fileTime(time: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${time.getFullYear()}${two(time.getMonth() + 1)}${two(time.getDate())}${two(time.getHours())}${two(time.getMinutes())}${two(time.getSeconds())}`
}
