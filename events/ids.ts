/** Identifiers: branded strings, so that a bare string never names an invocation. */

declare const brand: unique symbol
/** Written out rather than imported: these types are copied into projects that have no library of ours. */
interface Brand<Name extends string> {
  readonly [brand]: Name
}

/** UUIDv7 of one firing of one hook. */
export type InvocationId = string & Brand<"InvocationId">
/** UUIDv7 of one fact; given by the writer, never an order. */
export type FactId = string & Brand<"FactId">
/** UUIDv7 of one job; whoever does its work twice is told by it. */
export type JobId = string & Brand<"JobId">
/** The agent's own name for one of its runs. */
export type SessionId = string & Brand<"SessionId">

/** The two hexadecimal digits of each byte: an id is made for every fact, and numbers take long to be written out. */
const hex: readonly string[] = Array.from({ length: 256 }, (_, byte) => (256 + byte).toString(16).slice(1))

/**
 * A UUIDv7 (RFC 9562) from a time in milliseconds since 1970 and ten random bytes. Pure, so that a test owns both.
 */
export const uuidv7 = (milliseconds: number, random: Uint8Array): string => {
  // Forty-eight bits; a clock that was never set may show less than none.
  const time = Math.min(Math.max(Math.floor(milliseconds) || 0, 0), 2 ** 48 - 1)
  const byte = (at: number): string => hex[random[at] ?? 0] as string
  const high = Math.floor(time / 0x1_0000)
  const digits = (value: number): string => hex[value & 0xff] as string
  const clock = `${digits(high >>> 24)}${digits(high >>> 16)}${digits(high >>> 8)}${digits(high)}-${digits(time / 0x100)}${digits(time)}`
  const version = digits(0x70 | ((random[0] ?? 0) & 0x0f))
  const variant = digits(0x80 | ((random[2] ?? 0) & 0x3f))
  return `${clock}-${version}${byte(1)}-${variant}${byte(3)}-${byte(4)}${byte(5)}${byte(6)}${byte(7)}${byte(8)}${byte(9)}`
}

/** Milliseconds since 1970, and fresh random bytes. */
export interface Sources {
  readonly now: () => number
  readonly random: (count: number) => Uint8Array
}

export const invocationId = ({ now, random }: Sources): InvocationId =>
  uuidv7(now(), random(10)) as InvocationId

/** The name of a new fact that happened at this time, milliseconds since 1970. */
export const newFactId = (at: number, random: Sources["random"]): FactId => uuidv7(at, random(10)) as FactId

/** Milliseconds since 1970 in a UUIDv7; 0 of a text that holds none. */
export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) || 0

/**
 * A further UUIDv7 from one, of the same time: what is done again from the same facts gets the same name again.
 */
export const derivedId = (id: string, nth: number): string => {
  const low = BigInt(`0x${id.slice(19).replace("-", "")}`)
  // An odd multiple of the golden ratio keeps neighbours far apart, so that their ends can stand for them.
  const mixed = low + BigInt(nth + 1) * 0x9e37_79b9_7f4a_7c15n
  const text = ((mixed & 0x3fff_ffff_ffff_ffffn) | 0x8000_0000_0000_0000n).toString(16)
  return `${id.slice(0, 19)}${text.slice(0, 4)}-${text.slice(4)}`
}

/** Whether a text is a UUID as we write them. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
