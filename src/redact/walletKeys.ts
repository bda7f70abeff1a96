/** Keys of wallets that no name announces: the accounts of a network's settings, and the 64 bytes that Solana's tools keep. */
import { areRandomBytes } from "./byteLists.ts"
import type { Hit } from "./secretTokens.ts"

const accounts = /[Aa]ccounts\\*["']?\s{0,4}[:=]\s{0,4}\[([^[\]]{64,4000})\]/g
const key = /(?<![\da-f])(?:0x)?[\da-f]{64}(?![\da-f])/gi

const keypair = /\[\s{0,8}(\d{1,3}(?:\s{0,4},\s{0,8}\d{1,3}){63})\s{0,8}\]/g
const aboutKeypairs = /olana/i

export const findWalletKeys = (text: string, hit: Hit): void => {
  for (const found of text.matchAll(accounts)) {
    const from = found.index + found[0].length - 1 - (found[1] as string).length
    for (const one of (found[1] as string).matchAll(key))
      hit(from + one.index, from + one.index + one[0].length, "private-key")
  }
  for (const found of text.matchAll(keypair)) {
    const bytes = found[1] as string
    const start = found.index + found[0].indexOf(bytes)
    if (areRandomBytes(bytes) && aboutKeypairs.test(text)) hit(start, start + bytes.length, "private-key")
  }
}
