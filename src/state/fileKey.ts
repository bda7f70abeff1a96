/** File names for whatever has a name of any length. */

/** FNV-1a over two offsets: a file name, no secret. Loading `node:crypto` would cost the loader milliseconds. */
export const fileKey = (text: string): string => {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193)
    high = Math.imul(high ^ text.charCodeAt(at), 0x01000197)
  }
  return [low, high].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")
}
