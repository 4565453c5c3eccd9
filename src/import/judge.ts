// The judge of an imported suite, where its checks ask for one.
import { prettyJson } from '../base/json/pretty-json.js'

/** In the configuration: who judges. */
export const JUDGE = { helpers: { connector: 'judge' } }

export function addJudge(files: Map<string, string>): void {
  files.set(
    'connectors/judge.conn.yao',
    prettyJson({
      label: 'The judge',
      type: 'openai',
      options: { model: 'gpt-4.1', key: '$ENV.OPENAI_API_KEY', temperature: 0 },
    }),
  )
}
