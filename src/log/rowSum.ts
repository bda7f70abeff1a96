/**
 * The checksum of a fact, kept in its row: over all that a reader is given of it, so that no damage of the file changes a fact
 * without a word. Fast rather than secret: against careful hands stands the seal of its batch (seals.ts).
 */
import { crc32 } from "node:zlib"

const prime = 0x01000193

const mix = (hash: number, word: number): number => {
  const mixed = Math.imul(hash ^ word, 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

/** Shorter texts are summed faster than native code is called. */
const nativeFrom = 200

/**
 * Of a short text FNV-1a in four lanes, which the processor works on at the same time; of a longer one CRC-32 of its UTF-8. Any
 * one changed character changes the sum. What is not well-formed is not stored as it is: it has to be made well-formed before.
 */
export const textSum = (text: string): number => {
  const { length } = text
  if (length >= nativeFrom) return mix(length, crc32(text))
  let a = length
  let b = 0x811c9dc5
  let c = 0x2f0b4c47
  let d = 0x6a09e667
  let at = 0
  for (const whole = length - 3; at < whole; at += 4) {
    a = Math.imul(a ^ text.charCodeAt(at), prime)
    b = Math.imul(b ^ text.charCodeAt(at + 1), prime)
    c = Math.imul(c ^ text.charCodeAt(at + 2), prime)
    d = Math.imul(d ^ text.charCodeAt(at + 3), prime)
  }
  for (; at < length; at++) a = Math.imul(a ^ text.charCodeAt(at), prime)
  return mix(mix(mix(a, b), c), d)
}

/** Of the fact before: most facts name it as their cause, and tool calls stand together. */
const before = { id: "", idSum: 0, toolUseId: "", toolUseIdSum: 0 }

const causeSum = (cause: string): number => (cause === before.id ? before.idSum : textSum(cause))

const toolUseIdSum = (toolUseId: string): number => {
  if (toolUseId !== before.toolUseId) {
    before.toolUseIdSum = textSum(toolUseId)
    before.toolUseId = toolUseId
  }
  return before.toolUseIdSum
}

const times = new Float64Array(2)
const words = new Int32Array(times.buffer)

/**
 * `stream`, `kind` and `marks`: the sums of the texts that its numbers stand for. A signed number of 32 bits. No object is asked
 * for: it is computed for every fact that is written or read.
 */
export const rowSum = (
  position: number,
  version: number,
  at: number,
  recordedAt: number,
  id: string,
  cause: string | null,
  toolUseId: string | null,
  stream: number,
  kind: number,
  marks: number,
  data: string
): number => {
  times[0] = at
  times[1] = recordedAt
  let sum = mix(mix(mix(mix(position, version), stream), kind), marks)
  for (let nth = 0; nth < 4; nth++) sum = mix(sum, words[nth] as number)
  if (cause !== null) sum = mix(sum ^ 1, causeSum(cause))
  before.idSum = textSum(id)
  before.id = id
  sum = mix(sum, before.idSum)
  if (toolUseId !== null) sum = mix(sum ^ 2, toolUseIdSum(toolUseId))
  return mix(sum, textSum(data))
}
