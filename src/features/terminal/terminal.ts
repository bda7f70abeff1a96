/** Tells the model which shell commands ran in this project lately, in other sessions, since it was last told. Off unless wanted. */
import { modelContext } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import type { LogFact, Services } from "../../hooks/Services.ts"

const longestCommand = 160
const maxLookedAt = 300
const day = 86_400_000
/** Of English and code, near enough. */
const charactersPerToken = 4

export interface Ran {
  readonly command: string
  readonly exitCode?: number
  readonly ok?: boolean
  /** Milliseconds since 1970. */
  readonly at: number
}

const oneLine = (command: string): string => {
  const [first = "", ...rest] = command.trim().split("\n")
  const line = first.length > longestCommand ? `${first.slice(0, longestCommand)}…` : first
  return rest.length === 0 || line.endsWith("…") ? line : `${line} …`
}

const ago = (ms: number): string => {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return "just now"
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`
}

const outcome = ({ exitCode, ok }: Ran): string =>
  exitCode !== undefined ? `exit ${exitCode}` : ok === undefined ? "" : ok ? "succeeded" : "failed"

/** The newest that fit, the newest last; of one command that ran often only the last time. Pure. */
export const tellCommands = (commands: readonly Ran[], now: number, tokens: number): string | undefined => {
  const head = "Shell commands that other sessions ran in this project lately, the newest last:"
  const lines: string[] = []
  const seen = new Set<string>()
  let left = tokens * charactersPerToken - head.length
  for (const ran of [...commands].sort((a, b) => b.at - a.at)) {
    const command = oneLine(ran.command)
    if (command === "" || seen.has(command)) continue
    seen.add(command)
    const about = [outcome(ran), ago(Math.max(0, now - ran.at))].filter((word) => word !== "").join(", ")
    const line = `- \`${command}\` (${about})`
    left -= line.length + 1
    if (left < 0) break
    lines.unshift(line)
  }
  return lines.length === 0 ? undefined : [head, ...lines].join("\n")
}

const asRan = ({ at, data }: LogFact): readonly Ran[] => {
  const { "tool.command": command, "tool.exitCode": exitCode, "tool.kind": kind, "tool.ok": ok } = data
  if (kind !== "shell" || typeof command !== "string") return []
  return [
    {
      command,
      at,
      ...(typeof exitCode === "number" ? { exitCode } : {}),
      ...(typeof ok === "boolean" ? { ok } : {})
    }
  ]
}

/** When this session's last prompt was; what ran before has been told. */
const lastTold = async (
  { log }: Services,
  session: string,
  invocation: string
): Promise<number | undefined> => {
  const { facts } = await log.facts({ types: ["PAYLOAD_BUFFERED"], session, limit: 200, pick: [] })
  return facts.find(({ event, stream }) => event === "prompt.submit" && stream !== `invocation/${invocation}`)
    ?.at
}

export const terminal = defineHook({
  name: "terminal",
  on: "prompt.submit",
  enabled: false,
  settings: { tokens: 300, hours: 24 },
  run: async ({ invocation, services, session, settings, timestamp }) => {
    const { hours, tokens } = settings
    const now = Date.parse(timestamp)
    const oldest = now - (typeof hours === "number" && hours > 0 ? hours * 3_600_000 : day)
    const told = session === null ? undefined : await lastTold(services, session, invocation)
    const { facts } = await services.log.facts({
      types: ["PAYLOAD_BUFFERED"],
      since: Math.max(oldest, told ?? 0),
      limit: maxLookedAt,
      pick: ["tool.kind", "tool.command", "tool.exitCode", "tool.ok"]
    })
    const finished = facts.filter(
      (fact) => (fact.event === "tool.after" || fact.event === "tool.failure") && fact.session !== session
    )
    const text = tellCommands(
      finished.flatMap(asRan),
      now,
      typeof tokens === "number" && tokens > 0 ? tokens : 300
    )
    return text === undefined ? undefined : modelContext(text)
  }
})
