/** Asks the host. The page knows nothing that does not come from here. */
import type { Answer, Endpoints, Query } from "../../../features/inspector/contract/endpoints.ts"
import type { Refusal } from "../../../features/inspector/contract/shared.ts"
import { AskError } from "./AskError.ts"
import { dropToken, token } from "./token.ts"

type Name = keyof Endpoints
type Loose<E extends Name> = { readonly [K in keyof Query<E>]?: string | number | null | undefined }

/** Paths with their parameters in braces, as the contract has them. */
const paths = {
  status: "/status",
  numbers: "/numbers",
  window: "/window",
  calls: "/calls",
  call: "/calls/{invocation}",
  sessions: "/sessions",
  session: "/sessions/{session}",
  chains: "/chains",
  metrics: "/metrics",
  actors: "/actors",
  history: "/actors/history",
  hooks: "/hooks",
  jobs: "/jobs",
  health: "/health",
  facts: "/facts",
  fact: "/facts/{position}",
  search: "/search",
  options: "/whatif",
  whatif: "/whatif",
  fixture: "/fixtures"
} as const satisfies { readonly [E in Name]: Endpoints[E]["path"] }

export const authorised = (): Record<string, string> => ({ authorization: `Bearer ${token.value ?? ""}` })

const answered = async <E extends Name>(response: Response): Promise<Answer<E>> => {
  if (response.ok) return (await response.json()) as Answer<E>
  if (response.status === 401) dropToken()
  const refusal = (await response.json().catch(() => null)) as Refusal | null
  const { code, message, remedy } = refusal?.error ?? {
    code: "failed",
    message: `The inspector answered with ${response.status}.`
  }
  throw new AskError(code, message, remedy)
}

const fetched = async (input: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(input, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw new AskError("gone", "The inspector does not answer.", "hooktape inspect")
  }
}

export const ask = async <E extends Name>(
  name: E,
  query: Loose<E> = {},
  parameter = "",
  signal?: AbortSignal
): Promise<Answer<E>> => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== "") search.set(key, String(value))
  const path = paths[name].replace(/\{\w+\}/, encodeURIComponent(parameter))
  const behind = search.size === 0 ? "" : `?${search}`
  const init = { headers: authorised(), ...(signal === undefined ? {} : { signal }) }
  return answered<E>(await fetched(`/api/v1${path}${behind}`, init))
}

type Act = "whatif" | "fixture"

/** Has something done: only after the person at the page said so. */
export const act = async <E extends Act>(name: E, body: Endpoints[E]["body"]["Type"]): Promise<Answer<E>> =>
  answered<E>(
    await fetched(`/api/v1${paths[name]}`, {
      method: "POST",
      headers: { ...authorised(), "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  )
