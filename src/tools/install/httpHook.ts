/** The HTTP hook that stands in an agent's settings in place of a command: written here, recognised here. */
import { isAbsolute } from "node:path"
import { hookFile } from "../../state/startedFiles.ts"
import type { OurCommand } from "./command.ts"
import { type InstallAgent, installAgents } from "./dialects.ts"

/** Where the host of an installation answers, and what it wants to see. */
export interface HttpTarget {
  readonly port: number
  readonly token: string
  /** The state directory: whose registration it is. */
  readonly state: string
}

/** Names the installation, for whoever looks into the settings; a path as a header can carry it, with nothing to interpolate. */
const stateHeader = "Hooktape-State"
/** `HOOKTAPE=0` in the agent's environment switches hooks off, over HTTP as well. */
export const switchHeader = "Hooktape-Switch"

const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/")

export const httpHook = (
  { port, token, state }: HttpTarget,
  agent: InstallAgent,
  event: string,
  timeout: number | undefined
) => ({
  type: "http",
  url: `http://127.0.0.1:${port}/v1/hooks/${agent}/${event}`,
  headers: {
    Authorization: `Bearer ${token}`,
    [stateHeader]: encodePath(state),
    [switchHeader]: "$HOOKTAPE"
  },
  allowedEnvVars: ["HOOKTAPE"],
  ...(timeout === undefined ? {} : { timeout })
})

export interface OurHttpHook extends OurCommand {
  readonly url: string
  readonly port: number
  readonly token: string
}

const shape =
  /^http:\/\/(?:127\.0\.0\.1|localhost):([1-9]\d{0,4})\/v1\/hooks\/([a-z][a-z-]*)\/([A-Za-z][A-Za-z_]*)$/

const decodePath = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Ours, whichever installation wrote it: on loopback, at our path, with our header. */
export const parseHttpHook = (url: unknown, header: (name: string) => unknown): OurHttpHook | undefined => {
  const [, port, agentName, event] = typeof url === "string" ? (shape.exec(url) ?? []) : []
  const agent = installAgents.find((name) => name === agentName)
  const named = header(stateHeader)
  const state = typeof named === "string" ? decodePath(named) : undefined
  if (port === undefined || event === undefined || agent === undefined) return undefined
  if (state === undefined || !isAbsolute(state)) return undefined
  const token = /^Bearer (\S+)$/.exec(String(header("Authorization")))?.[1] ?? ""
  return { bin: hookFile(state), agent, event, url: String(url), port: Number(port), token }
}

/** A settings file's text as it may be shown to whoever looks over a shoulder. */
export const withoutTokens = (text: string): string => text.replaceAll(/(Bearer )[0-9a-f]{32}/g, "$1‹token›")
