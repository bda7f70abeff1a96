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

/** So many hexadecimal digits of a number that has no more. */
const hex = (value: number, digits: number): string => (16 ** digits + value).toString(16).slice(1)

/**
 * A UUIDv7 (RFC 9562) from a time in milliseconds since 1970 and ten random bytes. Pure, so that a test owns both.
 */
export const uuidv7 = (milliseconds: number, random: Uint8Array): string => {
  // Forty-eight bits; a clock that was never set may show less than none.
  const time = Math.min(Math.max(Math.floor(milliseconds) || 0, 0), 2 ** 48 - 1)
  const byte = (at: number): number => random[at] ?? 0
  const pair = (at: number): number => byte(at) * 0x100 + byte(at + 1)
  return [
    hex(Math.floor(time / 0x1_0000), 8),
    hex(time % 0x1_0000, 4),
    hex(0x7000 | (pair(0) & 0x0fff), 4),
    hex(0x8000 | (pair(2) & 0x3fff), 4),
    hex(pair(4) * 0x1_0000_0000 + pair(6) * 0x1_0000 + pair(8), 12)
  ].join("-")
}

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
