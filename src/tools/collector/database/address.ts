/** The URL of a database, as PostgreSQL's own programs take it: without a host it is this machine's socket, without a name the caller's. */
import { existsSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { isLoopback } from "../../shipping/loopback.ts"

/** Where packages of PostgreSQL put their sockets. */
const socketFolders = ["/var/run/postgresql", "/tmp"]
const usualPort = "5432"

/** A name without a host, `postgresql://me@/db`, is a URL to PostgreSQL only. */
const hostless = /^(postgres(?:ql)?:\/\/[^/?#@]*@)(?=[/?#]|$)/

/** Undefined where it is none. */
export const parseAddress = (text: string): URL | undefined => {
  const written = text.replace(hostless, "$1localhost")
  return URL.canParse(written) ? new URL(written) : undefined
}

const isHostless = (text: string): boolean => hostless.test(text) || parseAddress(text)?.hostname === ""

const hostOf = (text: string, { hostname, searchParams }: URL, env: NodeJS.ProcessEnv): string =>
  searchParams.get("host") ?? (isHostless(text) ? (env["PGHOST"] ?? "") : decodeURIComponent(hostname))

/** Whether it leads to another machine without a word on TLS, which then is none. A folder is that of a socket. */
export const isUnprotected = (text: string, env: NodeJS.ProcessEnv): boolean => {
  const url = parseAddress(text)
  if (url === undefined) return false
  const host = hostOf(text, url, env)
  const said = url.searchParams.get("sslmode") ?? env["PGSSLMODE"] ?? ""
  return host !== "" && !host.startsWith("/") && !isLoopback(host) && said === ""
}

/** Said of such a one, and what to do. */
export const unprotected = {
  reason: "the database is on another machine, and its URL says nothing of TLS",
  remedy: "Add sslmode=verify-full to it, or sslmode=disable where nobody else is on the way."
} as const

export const isPostgres = ({ protocol }: URL): boolean => ["postgres:", "postgresql:"].includes(protocol)

export const holdsPassword = ({ password, searchParams }: URL): boolean =>
  password !== "" || [...searchParams.keys()].some((name) => /password/i.test(name))

const nameHere = (): string | undefined => {
  try {
    return userInfo().username
  } catch {
    // A container may run as a number that has no name.
    return undefined
  }
}

export interface Here {
  readonly env: NodeJS.ProcessEnv
  readonly exists?: (path: string) => boolean
  readonly user?: string | undefined
}

/** The same with what was left out. Other means than the URL, PGHOST and PGUSER, are heeded. */
export const completeAddress = (
  text: string,
  { env, exists = existsSync, user = nameHere() }: Here
): URL | undefined => {
  const url = parseAddress(text)
  if (url === undefined) return undefined
  const { searchParams } = url
  if (isHostless(text) && !searchParams.has("host") && env["PGHOST"] === undefined) {
    const socket = `.s.PGSQL.${searchParams.get("port") ?? env["PGPORT"] ?? usualPort}`
    const folder = socketFolders.find((one) => exists(join(one, socket)))
    if (folder !== undefined) searchParams.set("host", folder)
  }
  const isNameless = url.username === "" && !searchParams.has("user") && env["PGUSER"] === undefined
  if (isNameless && user !== undefined) searchParams.set("user", user)
  return url
}
