/** Keys of wallets that no name announces: the accounts of a network's settings, and the 64 bytes that Solana's tools keep. */
import { areRandomBytes } from "./byteLists.ts"
import type { Hit } from "./secretTokens.ts"

const accounts = /[Aa]ccounts\\*["']?\s{0,4}[:=]\s{0,4}\[([^[\]]{64,4000})\]/g
const key = /(?<![\da-f])(?:0x)?[\da-f]{64}(?![\da-f])/gi

const keypair = /\[\s{0,8}(\d{1,3}(?:\s{0,4},\s{0,8}\d{1,3}){63})\s{0,8}\]/g
const aboutKeypairs = /olana/i
/** The same in Base58, as long as a signature: only what says that it is a key tells the two apart. */
const encoded = /(?<![\w+/=])[1-9A-HJ-NP-Za-km-z]{86,92}(?![\w+/=])/g
const aboutSecrets = /key-?pair|private|secret|import|seckey|wallet/i
const aboutOthers = /signature|\btx|transaction|confirm/i

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
  if (aboutKeypairs.test(text))
    for (const found of text.matchAll(encoded)) {
      const before = text.slice(Math.max(0, found.index - 80), found.index)
      if (aboutSecrets.test(before) && !aboutOthers.test(before) && /\d/.test(found[0]))
        hit(found.index, found.index + found[0].length, "private-key")
    }
}
