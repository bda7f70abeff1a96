/** Who may ask, and for what: decided from the head of a request alone, before anything is read or done. */
import { timingSafeEqual } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import type { Refusal } from "../contract/shared.ts"

export const apiPrefix = "/api/v1"

export interface Refused {
  readonly status: number
  readonly code: Refusal["error"]["code"]
  readonly message: string
  readonly remedy?: string
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

const isSame = (given: string, wanted: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const foreign = (message: string): Refused => ({ status: 403, code: "foreign", message })

/** A name that resolves to this machine lets a foreign page in, unless only our own names are taken. */
const ofAnotherPage = ({ headers }: Request, port: number): Refused | undefined => {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!hosts.includes(headers.host ?? "")) return foreign("Another host was asked for.")
  const { origin } = headers
  if (origin !== undefined && origin !== `http://${headers.host}`)
    return foreign("Another page's script asks.")
  return undefined
}

/** Where whoever serves does nothing, a command does. */
const acts: Readonly<Record<string, Omit<Refused, "status" | "code">>> = {
  [`${apiPrefix}/whatif`]: {
    message: "The inspector only looks: it runs nothing again.",
    remedy: "hooktape replay <ref> --with DIR"
  },
  [`${apiPrefix}/fixtures`]: {
    message: "The inspector only looks: it writes no file.",
    remedy: "hooktape fixture <ref>"
  }
}

/** A form of another page can be sent with any other type, and without asking. */
const isJson = ({ headers }: Request): boolean =>
  headers["content-type"]?.split(";")[0]?.trim() === "application/json"

/** What is to be done, not looked at. */
export const isAct = ({ method, path }: Pick<Request, "method" | "path">): boolean =>
  method === "POST" && Object.hasOwn(acts, path)

const notDoneHere = (request: Request, canAct: boolean): Refused | undefined => {
  const { method, path } = request
  if (isAct(request)) {
    if (!canAct) return { status: 501, code: "failed", message: "", ...acts[path] }
    return isJson(request)
      ? undefined
      : { status: 400, code: "bad-request", message: "What is to be done comes as application/json." }
  }
  return method === "GET" ? undefined : { status: 405, code: "bad-request", message: "Only GET is answered." }
}

const isApi = (path: string): boolean => path === "/api" || path.startsWith("/api/")

/** The page itself holds nothing that is anybody's; whatever the log says is for who has the token. */
const withoutToken = ({ headers, path }: Request, token: string): Refused | undefined =>
  !isApi(path) || isSame(headers.authorization ?? "", `Bearer ${token}`)
    ? undefined
    : {
        status: 401,
        code: "no-token",
        message: "The token of this run is missing.",
        remedy: "hooktape inspect"
      }

/** Why a request is not answered; undefined where it is. `canAct`: whoever serves does more than look. */
export const refusalOf = (
  request: Request,
  { canAct, port, token }: { readonly port: number; readonly token: string; readonly canAct: boolean }
): Refused | undefined =>
  ofAnotherPage(request, port) ?? withoutToken(request, token) ?? notDoneHere(request, canAct)

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** With every answer. */
export const safeHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store"
}
