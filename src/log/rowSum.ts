/**
 * The checksum of a fact, kept in its row: over all that a reader is given of it, so that no damage of the file changes a fact
 * without a word. Fast rather than secret: against careful hands stands the seal of its batch (seals.ts).
 */

type Crc32 = (text: string, from?: number) => number

let crc: Crc32 | undefined
/** Loaded where it is needed: most hooks read nothing. */
const crc32: Crc32 = (text, from) => {
  crc ??= (process.getBuiltinModule("node:zlib") as unknown as { readonly crc32: Crc32 }).crc32
  return crc(text, from)
}

/** Of a text that many rows share; computed once for all of them. */
export const textSum = (text: string): number => crc32(text)

const times = new Float64Array(2)
const words = new Int32Array(times.buffer)

const mix = (hash: number, word: number): number => Math.imul((hash ^ word) + 0x7ed55d16, 0x01000193)

/** `stream`, `kind` and `marks`: the sums of the texts that its numbers stand for. A signed number of 32 bits. No object: it is asked for every fact. */
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
  let seed = mix(mix(mix(mix(mix(0x811c9dc5, position), version), stream), kind), marks)
  for (let nth = 0; nth < 4; nth++) seed = mix(seed, words[nth] as number)
  return crc32(`${id}\n${cause}\n${toolUseId}\n${data}`, seed >>> 0) | 0
}
