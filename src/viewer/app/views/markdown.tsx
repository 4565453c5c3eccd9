// Formatted text from outside, inert: only elements named here, every word a text node, nothing to follow or to load.
import type { ComponentChildren } from 'preact'
import { parseMarkdown, type Block, type Inline } from '../text/markdown.js'
import { Text } from './text.js'

export function Markdown({ value }: { value: string }) {
  return (
    <div class="markdown" dir="auto">
      {parseMarkdown(value).map(renderBlock)}
    </div>
  )
}

function renderBlock(block: Block, index: number): ComponentChildren {
  switch (block.kind) {
    case 'heading':
      // Not a heading of the page: its outline is ours.
      return (
        <p key={index} class={`md-heading md-level-${block.level}`}>
          {block.text.map(renderInline)}
        </p>
      )
    case 'paragraph':
      return <p key={index}>{block.text.map(renderInline)}</p>
    case 'code':
      return (
        <div key={index} class="md-code mono" dir="ltr">
          <Text value={block.text} />
        </div>
      )
    case 'quote':
      return (
        <blockquote key={index} class="md-quote">
          {block.blocks.map(renderBlock)}
        </blockquote>
      )
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{item.map(renderBlock)}</li>)
      return block.ordered ? (
        <ol key={index} class="md-list" start={block.start}>
          {items}
        </ol>
      ) : (
        <ul key={index} class="md-list">
          {items}
        </ul>
      )
    }
    case 'table':
      return <Table key={index} rows={block.rows} />
    case 'rule':
      return <hr key={index} />
  }
}

function Table({ rows }: { rows: Inline[][][] }) {
  const [head = [], ...body] = rows
  return (
    <table class="md-table">
      <thead>
        <tr>
          {head.map((cell, at) => (
            <th key={at} scope="col">
              {cell.map(renderInline)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, index) => (
          <tr key={index}>
            {row.map((cell, at) => (
              <td key={at}>{cell.map(renderInline)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const TAGS = { bold: 'strong', italic: 'em', struck: 's' } as const

function renderInline(part: Inline, index: number): ComponentChildren {
  if ('inside' in part) {
    const Tag = TAGS[part.kind]
    return <Tag key={index}>{part.inside.map(renderInline)}</Tag>
  }
  if ('target' in part) return <Reference key={index} {...part} />
  if (part.kind === 'text') return <Text key={index} value={part.text} />
  return (
    <code key={index}>
      <Text value={part.text} />
    </code>
  )
}

function Reference({ kind, text, target }: { kind: string; text: string; target: string }) {
  return (
    <span class={kind === 'image' ? 'chip' : 'md-link'}>
      {kind === 'image' && 'image '}
      <Text value={text || target} />
      {text && text !== target && (
        <span class="md-target">
          {' '}
          <Text value={target} />
        </span>
      )}
    </span>
  )
}
