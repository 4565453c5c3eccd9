// What Codex keeps of a session: the messages it sent to its model, among them the list of skills.
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The list comes with the first messages. */
const SEARCHED_BYTES = 4 * 1024 * 1024

/** Undefined: the session is not found. None: it told its model of no skills. */
export async function rolloutSkills(
  { CODEX_HOME, HOME = '' }: Readonly<Record<string, string | undefined>>,
  session: string | undefined,
): Promise<string[] | undefined> {
  if (session === undefined || !/^[\w-]+$/.test(session)) return undefined
  const root = join(CODEX_HOME ?? join(HOME, '.codex'), 'sessions')
  try {
    const files = await readdir(root, { recursive: true })
    const name = files.find((file) => file.endsWith(`-${session}.jsonl`))
    return name === undefined ? undefined : skillsTold(await beginning(join(root, name)))
  } catch {
    return undefined
  }
}

/** `- name: what it is for (file: …)`, in text that is inside JSON. */
function skillsTold(text: string): string[] {
  const list = /<skills_instructions>(.*?)<\/skills_instructions>/s.exec(text)?.[1] ?? ''
  const items = list.split('### Available skills')[1] ?? ''
  return [...items.matchAll(/(?:^|\\n|\n)- ([\w.:-]+): /g)].flatMap(([, name]) => name ?? [])
}

async function beginning(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SEARCHED_BYTES), 0, SEARCHED_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
