/** Keys that are written byte by byte: `"secretKey": [174, 47, …]`, `privateKey := []byte{0xae, 0x2f, …}`. */
import { secretName } from "./secretNames.ts"

const fewest = 16
const most = 4200
const byte = String.raw`(?:0x[\da-fA-F]{1,2}|\d{1,3})`
/** As a pattern: bytes parted by commas, also on several lines. */
export const byteList = String.raw`${byte}(?:\s{0,4},\s{0,40}${byte}){${fewest - 1},${most}}`

/** Bytes made at random are many and few of them alike; what counts or enumerates is none. */
const isRandom = (bytes: readonly number[]): boolean =>
  bytes.every((one) => Number.isInteger(one) && one >= 0 && one < 256) &&
  new Set(bytes).size * 2 > bytes.length &&
  bytes.some((one, at) => at > 0 && one < (bytes[at - 1] as number)) &&
  Math.max(...bytes) > 127

export const areRandomBytes = (list: string): boolean => isRandom(list.split(",").map(Number))

/** The kind of secret that a list under this name is, if it is one. Tokens in lists are those of a language model. */
export const byteSecret = (name: string | undefined, list: readonly unknown[]): string | undefined => {
  if (name === undefined || list.length < fewest || list.length > most || typeof list[0] !== "number")
    return undefined
  const kind = secretName(name)
  if (kind !== "secret" && kind !== "api-key" && kind !== "password") return undefined
  return isRandom(list as readonly number[]) ? kind : undefined
}

const declared =
  /(?:\[\w{0,30}\]|:\s?(?:&(?:'\w{1,20} )?)?\[u8[^\]\n]{0,40}\])?\s?=\s?&?[[{]\s{0,40}(?:0x|\d)/y

/** Whether a name that ends at `end` is one for a list of numbers: `key[] = {0x…`, `key: [u8; 32] = [12…`. */
export const listsBytes = (text: string, end: number): boolean => {
  const c = text.charCodeAt(end)
  // Most names are followed by none of these.
  if (c !== 91 && c !== 58 && c !== 32) return false
  if (c !== 91 && text.charCodeAt(end + 1) !== (c === 58 ? 32 : 61)) return false
  declared.lastIndex = end
  return declared.test(text)
}
