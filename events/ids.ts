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

const hex = (bytes: Uint8Array): string => {
  let out = ""
  for (const byte of bytes) out += (byte < 16 ? "0" : "") + byte.toString(16)
  return out
}

/**
 * A UUIDv7 (RFC 9562) from a time in milliseconds since 1970 and ten random bytes. Pure, so that a test owns both.
 */
export const uuidv7 = (milliseconds: number, random: Uint8Array): string => {
  const bytes = new Uint8Array(16)
  let time = Math.floor(milliseconds)
  for (let at = 5; at >= 0; at--) {
    bytes[at] = time % 256
    time = Math.floor(time / 256)
  }
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const text = hex(bytes)
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    "-"
  )
}

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
