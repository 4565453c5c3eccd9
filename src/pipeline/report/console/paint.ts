// Colour, or not: one place knows the escape codes.
import pc from 'picocolors'

export type Paint = ReturnType<typeof pc.createColors>

const plain = pc.createColors(false)
const colored = pc.createColors(true)

export function paint(color: boolean): Paint {
  return color ? colored : plain
}
