// Which of the paths of -o get the events as they are; the others get reports.

export function isEvents(path: string): boolean {
  return path.toLowerCase().endsWith('.jsonl')
}
