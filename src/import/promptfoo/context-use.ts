// What code of the user's reads of promptfoo's context, as far as its text shows. The rest of what a check sees is in `templates/checks/`.

const LEFT = 'prompt|provider|logProbs|trace|metadata'
const READS: readonly RegExp[] = [
  // context.prompt, context?.prompt, context["prompt"], context.get("prompt")
  new RegExp(`\\bcontext\\s*(?:\\?\\.|\\.)\\s*(${LEFT})\\b`),
  new RegExp(`\\bcontext\\s*(?:\\?\\.)?\\s*(?:\\.get\\s*\\(|\\[)\\s*['"](${LEFT})['"]`),
  // const { prompt } = context, (output, { prompt }) =>
  new RegExp(`\\{[^{}]*\\b(${LEFT})\\b[^{}]*\\}\\s*=\\s*context\\b`),
  new RegExp(`\\boutput\\s*,\\s*\\{[^{}]*\\b(${LEFT})\\b[^{}]*\\}\\s*\\)`),
  /\bcontext\s*(?:\?\.|\.)\s*(providerResponse\s*(?:\?\.|\.)\s*(?!output\b)\w+)/,
  /\bcontext\s*(?:\.get\s*\(|\[)\s*['"](providerResponse)['"]/,
]

/** Throws an Error if a check needs what is not there when it runs. */
export function requireCarriedContext(code: string, file?: string): void {
  const found = READS.map((pattern) => pattern.exec(code)?.[1]).find((name) => name !== undefined)
  if (found !== undefined)
    throw new Error(`${file === undefined ? '' : `${file}: `}context.${found} is not carried over`)
}
