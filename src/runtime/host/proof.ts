/**
 * How a command and a host prove to each other that they know the token, where it must not be told: the name of a pipe is whoever's comes
 * first, and what listens there may be another user's. A socket lies in a directory of its user's own, and is told the token.
 */
import type { Answer } from "./wireProtocol.ts"

const crypto = () => process.getBuiltinModule("node:crypto")

const mac = (token: string, ...parts: readonly (string | number)[]): string =>
  crypto().createHmac("sha256", token).update(JSON.stringify(parts)).digest("hex")

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && crypto().timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** 32 hexadecimal characters, of a command's own making. */
export const newNonce = (): string => crypto().randomBytes(16).toString("hex")

/** What is said in the token's place. `at`: milliseconds since 1970. */
export const proofOf = (token: string, event: string, nonce: string, at: number): string =>
  `proof ${nonce} ${at} ${mac(token, "ask", nonce, at, event)}`

const form = /^proof ([0-9a-f]{32}) (\d{1,16}) ([0-9a-f]{64})$/

/** A command and its host are on one machine, with one clock; a busy machine takes its time. */
const validMs = 30_000

/** Of a host: the nonce of a proof that is good for this event, once; undefined for any other. */
export type Proven = (said: string, event: string) => string | undefined

export const makeProven = (token: string, now: () => number = Date.now): Proven => {
  const seen = new Map<string, number>()
  return (said, event) => {
    const [, nonce = "", time = "", given = ""] = form.exec(said) ?? []
    const at = Number(time)
    if (nonce === "" || token === "" || Math.abs(now() - at) > validMs) return undefined
    if (!isSame(given, mac(token, "ask", nonce, at, event)) || seen.has(nonce)) return undefined
    for (const [old, when] of seen) if (Math.abs(now() - when) > validMs) seen.delete(old)
    seen.set(nonce, at)
    return nonce
  }
}

const answerMac = (token: string, nonce: string, { exitCode, stderr, stdout }: Answer): string =>
  mac(token, "answer", nonce, exitCode, stderr, stdout)

/** The host's answer to one who proved it, with its own proof before it. */
export const withProof = (token: string, nonce: string, answer: Answer): Answer => ({
  ...answer,
  stdout: `${answerMac(token, nonce, answer)}\n${answer.stdout}`
})

/** The answer without its proof; undefined where there is none that is good. */
export const withoutProof = (token: string, nonce: string, answer: Answer): Answer | undefined => {
  const end = answer.stdout.indexOf("\n")
  const bare = { ...answer, stdout: answer.stdout.slice(end + 1) }
  const { exitCode, stderr, stdout } = bare
  return end > 0 && isSame(answer.stdout.slice(0, end), answerMac(token, nonce, { exitCode, stderr, stdout }))
    ? bare
    : undefined
}
