/** Private keys: in PEM, whole, cut off behind, or only their tail; JSON Web Keys; static keys of OpenVPN. */
import type { Hit } from "./secretTokens.ts"

const keyHeader =
  /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----|Private-Lines: \d{1,3}/y
/**
 * What may stand before a key's first line: line ends, written out or escaped, quotes, line numbers, headers. No two of these
 * can begin alike, and a header ends with its line: so there is one way to read a text, however it repeats itself.
 */
const keyStart =
  /(?:\s|\\+[nr]|["'+,|>→]|\d{1,6}[\t:→]|[A-Za-z-]{2,20}: [^\n\\]{0,80}(?=[\n\\])){0,40}[A-Za-z0-9+/=]{16}/y
const keyBody = /[A-Za-z0-9+/=\s\\:,"'|>→-]/

/** The end of the private key that begins here, or 0. */
export const keyEnd = (text: string, at: number): number => {
  keyHeader.lastIndex = at
  if (!keyHeader.test(text)) return 0
  keyStart.lastIndex = keyHeader.lastIndex
  if (!keyStart.test(text)) return 0
  let end = keyStart.lastIndex
  while (end < text.length && keyBody.test(text[end] as string)) {
    if (text.startsWith("-----END ", end)) {
      const tail = text.indexOf("-----", end + 9)
      end = tail !== -1 && tail < end + 80 ? tail + 5 : end
      break
    }
    if (text.startsWith("-----", end)) break
    end++
  }
  return end
}

export const keyTail = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const headEnd = /[A-Za-z0-9+/=]/
const longestTail = 16_384

/** Where the Base64 before a key's last line begins: its head was cut off, or another tool's frame stands between. */
const tailStart = (text: string, end: number, floor: number): number => {
  let start = end
  const least = Math.max(floor, end - longestTail)
  while (start > least && keyBody.test(text[start - 1] as string)) {
    // The end of a line of another kind: -----BEGIN …----- or -----END …-----
    if (text[start - 1] === "-" && text.startsWith("-----", start - 5)) break
    start--
  }
  // A word that happens to stand before the body is no part of it.
  const body = text.slice(start, end)
  const first = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{16,}/.exec(body)
  return first === null ? end : start + first.index
}

/** The members of a JSON Web Key that are nobody else's; `kty` says that an object is one. */
const webKeyType = /["']kty\\*["']/g
const webKeyMember = /["'](?:d|p|q|dp|dq|qi|k)\\*["']\s{0,4}:\s{0,4}\\*["']([\w-]{16,1024})(?=\\*["'])/g
const longestWebKey = 4096

/**
 * Where the object ends that a member is in, looked for from the member's own first quote on, forward or back; brackets within strings
 * are none of its. `slashes`: what stands before each of its quotes, where it is JSON in a string.
 */
const objectEdge = (text: string, quote: number, slashes: string, step: 1 | -1, limit: number): number => {
  const sign = text.charCodeAt(quote)
  const isQuote = (at: number): boolean =>
    text.charCodeAt(at) === sign &&
    text.startsWith(slashes, at - slashes.length) &&
    text.charCodeAt(at - slashes.length - 1) !== 92
  const [opener, closer] = step === 1 ? [123, 125] : [125, 123]
  let depth = 0
  let isInside = false
  for (let at = step === 1 ? quote : quote - 1; at !== limit; at += step) {
    const c = text.charCodeAt(at)
    if (isQuote(at)) isInside = !isInside
    else if (isInside) continue
    else if (c === opener) depth++
    else if (c === closer && depth-- === 0) return at
  }
  return limit
}

const findWebKeys = (text: string, hit: Hit): void => {
  let done = 0
  for (const { index: quote, 0: found } of text.matchAll(webKeyType)) {
    if (quote < done) continue
    const slashes = "\\".repeat(found.length - found.replaceAll("\\", "").length)
    const from = objectEdge(text, quote, slashes, -1, Math.max(done, quote - longestWebKey) - 1) + 1
    done = objectEdge(text, quote, slashes, 1, Math.min(text.length, quote + longestWebKey))
    for (const member of text.slice(from, done).matchAll(webKeyMember)) {
      const value = member[1] as string
      const start = from + member.index + member[0].length - value.length
      hit(start, start + value.length, "private-key")
    }
  }
}

const staticKey =
  /-----BEGIN OpenVPN Static key V\d-----(?:\s|\\+[nr]|["'+,])*([0-9a-fA-F](?:[0-9a-fA-F\s"'+,]|\\+[nr]){20,2048})/g

export const findPrivateKeys = (text: string, hit: Hit): void => {
  if (text.includes("kty")) findWebKeys(text, hit)
  if (text.includes("OpenVPN Static"))
    for (const found of text.matchAll(staticKey)) {
      const start = found.index + found[0].length - (found[1] as string).length
      hit(start, found.index + found[0].trimEnd().length, "private-key")
    }
  if (!text.includes("PRIVATE KEY") && !text.includes("Private-Lines:")) return
  const starts = /-----BEGIN |---- BEGIN SSH2 |Private-Lines: /g
  let last = 0
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const end = keyEnd(text, found.index)
    if (end === 0) continue
    hit(found.index, end, "private-key")
    last = end
    starts.lastIndex = end
  }
  let floor = 0
  for (const found of text.matchAll(keyTail)) {
    const end = found.index + found[0].length
    if (end > last || floor < found.index) {
      const start = tailStart(text, found.index, floor)
      if (start < found.index && headEnd.test(text[start] as string)) hit(start, end, "private-key")
    }
    floor = end
  }
}
