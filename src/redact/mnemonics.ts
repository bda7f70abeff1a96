/** Mnemonic phrases (BIP-39): 12 to 24 words, all of one list of 2,048. */
import { charactersOf, eachRun } from "./runs.ts"
import type { Hit } from "./secretTokens.ts"
import { hasSign, signOf } from "./signs.ts"

/** The list as a Bloom filter: of other words one in eleven passes, of twelve other words in a row none does. */
const filter =
  "lRMhEHuwaCr8NgEOaSGKuElxwqcbzCqwZBshExF6pbJ1pxFg56oI38NiLalsWTDIqfQV1zki6JYYevP7fZwZwlG27UTA77x/q4aY4+7/4Z+VssYTiB+G1/QyHW5I7eA184ZJZIPVdWuVQ0hmocAVFkgQGufQSDYB2I11f+DigzhmdPiK14bhCiJHCD0nZo37ojw9uBciN74a+PdJslGCGKzaFhVWjrCgRAM7aa+F0NO31A1qrgmWBfbe/E2wrjFOEwoVOYPqid2kah4cREc6IpGtzxk3MkRgJhYCHHwVjOgYOqPEMfOYJRCSRAVPpKesLJZxKhEqOJbfG1rmrOnHelyRyaHhxADFeifRdIwtmAoovbZ1axHDrrDgqwbGhQusD5BAfLVr8CKKZhGWSnsQJwWyiH0Kx+fFT6RPAp2OBm6BVQyhhPMYHbXjWtmpEE7tDBg8pmhCcZgMA0jRmNZ/agu7oHS8vUew6RpQGwCn6MpKOhIQYQEkh9PeR6zadGLspY3pYcHYvYuDLGIycf2voT9DQUGgmqmJogc3lIHkZwaFtBXo1Ing6vvLWLAgSeQ7Mg3FJb+EANnz0nGoDwDi3Qnv88kqLAV/7BB7rpssVnAAYiEOATXXDaG6JVXZCAcoAmxiJFdoJ6DJDwwc8gzRAGU6+hDIggB8FfF/gTyxm5GdeTAIaQNXxUQJHBcuakCV7OiKzIwIpPe4pwCJWeB4D/rUz8wlKEM8lVakzAmiAxcQCTMZUHiYkUxbwiECK3RQ3FKR+oZMOQhprSNeD7S0qmd9QlNmhlqCBlnhBWgwXhAb0xabK/QH+Vc8ceybOVTjmrZrrEIgt8J3Ia0J+HIVvsXANm8ASFI2vQnwCEiqFYeUSwOxrSWwApkIjaazNS2ljIwMgubw1xHmMi36hV6oPKAqA/1lMcI7VAS99q5T5xllUKwKJGnVIbc1BSvbsiQwnixkEY0TbhAnOUAT6QOICMk6FG7m+Jih3kV91wQEhIY3K0BWEoFsbjXLpp1EAPM6UtVNtaNM0NKNFbeAUSGA7RJoP+0YwE5/VUuWG43kZelUYJSq7bfLrDKN4DCpDKDKZ3MY1AwRDwRwZBF1fyoAnVCNXpXAC3nlRoKLMb8BDfhJ0JAJsACwVCCWSqTTVrk64Q7FpNQLZgEQYqc/CTxVm9ga2lqAGWNl3cEhFSyICgvLyLm8PJcYQ+EIvQNCkW74gLwB1RAxboq9F2+3Snuwx1RG9f4tXZ0/qmDQR5asgsYiJxnRxdufqKryNwhgRjATX4UucmrsoPUS99An8M8afoQf2qrouIDucrcD3D18FsSbgq2JvTkZVSNvLB8POqog4ZebrWOuSyChxSjaQB+NveXmaElggLjAhC9Ha7oDBx4kgg0Jye8As3JslaQBSscqZTJLAGuiSQkWQ7afzWP84J+izQRU01MIJ8o/mruyL2BdSnzS3QoL/T6KgedpAhwAsCruUBSWg3jBgBLerGM7NXgev76eD62qRRIqBEYoQb952gQhXjKr5C6DQ8qii/FbyriMSqimWjAqE5wEK+OTHFFwwiEiODaAn88OA2DCNENp3W8PSBF2o4NrIi3o6w9V4pl+Byh5AoV7HJKJeGKjAEHKLVSycA1oJKxysA3ZoRkCsfEeOQADRt6yfPkDMQEGMA27WEm8pFXpJtMvgpKNhPF56gsB2Odz9zxGBzSTOJM="

let bits: Buffer | undefined

const bitOf = (word: string, seed: number): number => {
  let hash = seed
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 16777619)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0x5bd1e995)
  hash ^= hash >>> 15
  return (hash >>> 0) % 10_240
}

export const isListed = (word: string): boolean => {
  bits ??= Buffer.from(filter, "base64")
  for (const seed of [2166136261, 97, 7919]) {
    const bit = bitOf(word, seed)
    if ((((bits[bit >> 3] as number) >> (bit & 7)) & 1) === 0) return false
  }
  return true
}

/** Words in a row, also numbered, quoted, or each on its own line. */
const between = String.raw`(?:[ \t]{1,4}|,[ \t]?|["'],?\s{0,8}["']|\s{0,2}(?:\n|\\n)\s{0,4}|[ \t\n]{0,3}(?:\\n)?\d{1,2}[.)][ \t]{1,3})`
const row = new RegExp(`(?<![A-Za-z])[a-z]{3,8}(?:${between}[a-z]{3,8}(?![A-Za-z])){11,200}`, "g")
const plainWord = /[a-z]{3,8}/g
const fewest = 12
/** What words and what stands between them are made of: a row has no other character. Twelve of the shortest with as little between. */
const rowCharacters = { characters: charactersOf(/[a-z\d\s,"'\\.)]/), others: true, shortest: 12 * 3 + 11 }

/** The stretches of a row that are phrases: twelve words of the list, of which no more than sentences would repeat. */
const phrasesIn = (row: string, at: number, hit: Hit): boolean => {
  let more = true
  let from = -1
  let to = 0
  let count = 0
  const seen = new Set<string>()
  const close = (): void => {
    // A list of the list itself, or the same few words again and again, is no phrase.
    if (count >= fewest && count <= 48 && seen.size > count * 0.6) more = hit(from, to, "mnemonic") && more
    count = 0
    seen.clear()
  }
  for (const { 0: word, index } of row.matchAll(plainWord)) {
    if (isListed(word)) {
      if (count === 0) from = at + index
      to = at + index + word.length
      count++
      seen.add(word)
    } else close()
  }
  close()
  return more
}

/** What a phrase is made of, which a wallet's log shows beside it. */
const entropy = /(?<![\w-])entropy\\*["']?\s?[:=]\s?\\*["']?(?:0x)?((?:[\da-f]{2}){16,32})(?![\w-])/gi
const ofEntropy = signOf("entropy")

export const findEntropy = (text: string, hit: Hit): void => {
  if (hasSign(text, ofEntropy))
    for (const found of text.matchAll(entropy)) {
      const end = found.index + found[0].length
      hit(end - (found[1] as string).length, end, "mnemonic")
    }
}

/** Whether no `hit` ended the search. Prose has other words in between. */
export const findMnemonics = (text: string, hit: Hit): boolean => {
  let more = true
  eachRun(text, rowCharacters, (start, end) => {
    // With what stands around it: a word that goes on there is none.
    const from = Math.max(0, start - 1)
    for (const { 0: words, index } of text.slice(from, end + 1).matchAll(row))
      more = phrasesIn(words, from + index, hit) && more
  })
  return more
}
