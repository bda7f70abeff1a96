/** Who may speak to a port of this machine: whoever knows its token, where it has one, and no browser. */
import { createHash, timingSafeEqual } from "node:crypto"

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Refused {
  readonly status: 401 | 403
  readonly reason: string
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Of equal length whatever came, so that the time taken tells nothing. */
const isSame = (given: string, expected: Buffer): boolean => timingSafeEqual(digest(given), expected)

/**
 * A name that resolves to this machine (DNS rebinding) is not ours, and no program but a browser says where a request comes
 * from. Both are looked at before the token: a page gets to try none.
 */
export const makeGate = (
  port: number,
  token: string | undefined
): ((headers: Headers) => Refused | undefined) => {
  const hosts = new Set([`127.0.0.1:${port}`, `[::1]:${port}`, `localhost:${port}`])
  const expected = token === undefined ? undefined : digest(token)
  return (headers) => {
    if (!hosts.has(String(headers["host"]).toLowerCase()))
      return { status: 403, reason: "this is not that host" }
    if (headers["origin"] !== undefined || headers["sec-fetch-site"] !== undefined)
      return { status: 403, reason: "pages have no business here" }
    if (expected === undefined) return undefined
    const [, given] = /^Bearer (\S+)$/i.exec(String(headers["authorization"] ?? "")) ?? []
    if (given === undefined || !isSame(given, expected))
      return { status: 401, reason: "this is not the token" }
    return undefined
  }
}
