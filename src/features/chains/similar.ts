/** How much a problem is like another: by its signature, else by the words that tell it. Pure. */
import { fallbackProblem } from "../checks/fallback.ts"
import { plainText } from "../checks/lines.ts"
import { readMisuse, readReport } from "../checks/report.ts"
import { signatureOfProblem } from "../checks/signature.ts"
import { stem, wordsOf } from "../search/terms.ts"
import { type Chain, hasFix } from "./Chain.ts"
import { errorLine } from "./fix.ts"

export interface Scored {
  readonly chain: Chain
  /** 0–1; from 0.8 on it has the same signature. */
  readonly score: number
}

export interface Sought {
  /** Those of all problems that the text shows. */
  readonly signatures: readonly string[]
  readonly message: string
}

/** A text as somebody would paste it: an output, or one line of it. */
export const soughtBy = (message: string): Sought => {
  const text = plainText(message)
  const { problems, traces } = readReport(text)
  const found = [...problems, ...traces, ...readMisuse(text), fallbackProblem(text)]
  return { signatures: [...new Set(found.map(signatureOfProblem))], message: text }
}

/** Of which the signature is worth so much, the words the rest. */
const ofSignature = 0.8

/** What stands before any error tells none apart. */
const announcing = new Set(["error", "err", "exception", "fatal"])

const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => word.length > 1 && !/^\d+$/.test(word) && !announcing.has(word))
      .map(stem)
  )

/** What both have, of what either has. */
const overlap = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  const shared = [...one].filter((word) => other.has(word)).length
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size)
}

export const scoreOf = (sought: Sought, chain: Pick<Chain, "problem" | "signature">): number => {
  const words = overlap(stemsOf(sought.message), stemsOf(errorLine(chain)))
  const score = sought.signatures.includes(chain.signature)
    ? ofSignature + (1 - ofSignature) * words
    : ofSignature * words
  return Math.round(score * 100) / 100
}

/** Those that were resolved first, then the likest, then those with a fix, then the newest. */
export const ranked = (
  sought: Sought,
  chains: Iterable<Chain>,
  { least, limit }: { readonly least: number; readonly limit: number }
): readonly Scored[] =>
  [...chains]
    .map((chain): Scored => ({ chain, score: scoreOf(sought, chain) }))
    .filter(({ score }) => score >= least)
    .sort(
      (a, b) =>
        Number(b.chain.state === "resolved") - Number(a.chain.state === "resolved") ||
        b.score - a.score ||
        Number(hasFix(b.chain)) - Number(hasFix(a.chain)) ||
        b.chain.opened - a.chain.opened
    )
    .slice(0, limit)
