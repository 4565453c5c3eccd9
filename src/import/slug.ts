// Names for folders, connectors and cases that are made from free text: plain, and each once.

export class Slugs {
  readonly #taken = new Set<string>()

  take(text: string, fallback: string): string {
    const plain =
      text
        // A key that stands in a prompt is not for the name of a folder.
        .replaceAll(/(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{20,}/g, '')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .slice(0, 40)
        .replaceAll(/^-+|-+$/g, '') || fallback
    let name = plain
    for (let count = 2; this.#taken.has(name); count += 1) name = `${plain}-${count}`
    this.#taken.add(name)
    return name
  }
}
