// The same calls with nothing around them: fetch, and read the stream to its end.
const [url, calls, parallel] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])]
const decoder = new TextDecoder()
let left = calls
let bytes = 0

async function work() {
  while (left-- > 0) {
    const body = JSON.stringify({
      model: 'm',
      messages: [
        { role: 'system', content: 'You are a helpful assistant.' },
        { role: 'user', content: `call ${left}` },
      ],
      stream: true,
      stream_options: { include_usage: true },
    })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    for await (const chunk of response.body) bytes += decoder.decode(chunk, { stream: true }).length
  }
}
await Promise.all(Array.from({ length: parallel }, work))
if (bytes < calls * 1000) throw new Error(`only ${bytes} characters came`)
