/** How a call came out, as a word and a sign. */
import type { Call, Outcome } from "../../../features/inspector/contract/call.ts"
import { agentLetter, agentName, slowMs } from "../core/format.ts"
import { Mark, type Sign } from "./icons.tsx"

export type Look = "blocked" | "failed" | "late" | "unknown" | "ok" | "slow"

const looks: Readonly<
  Record<Outcome, { readonly look: Look | null; readonly sign: Sign | null; readonly word: string }>
> = {
  silent: { look: null, sign: null, word: "nothing to say" },
  spoke: { look: "ok", sign: "ok", word: "spoke" },
  blocked: { look: "blocked", sign: "blocked", word: "blocked it" },
  asked: { look: "late", sign: "warn", word: "asked you" },
  failed: { look: "failed", sign: "failed", word: "failed" },
  late: { look: "late", sign: "late", word: "too late" },
  unheard: { look: "late", sign: "warn", word: "was not heard" },
  undelivered: { look: "failed", sign: "failed", word: "reply not taken" },
  rejected: { look: "failed", sign: "failed", word: "no payload" },
  open: { look: "unknown", sign: "unknown", word: "running" },
  lost: { look: "unknown", sign: "unknown", word: "lost" },
  replaced: { look: "unknown", sign: "unknown", word: "answered elsewhere" }
}

export const lookOf = (outcome: Outcome) => looks[outcome]

/** Work after its reply that failed for good, the first of it. */
export const givenUpOf = ({ jobs }: Pick<Call, "jobs">) => jobs.find(({ state }) => state === "dead")

/** Nothing is wrong as far as its reply goes. */
export const wentWell = ({ outcome }: Pick<Call, "outcome">): boolean =>
  outcome === "silent" || outcome === "spoke"

export const GivenUpTag = ({ by, reason }: { readonly by: string; readonly reason: string | null }) => (
  <span class="tag failed" title={reason ?? undefined}>
    <Mark sign="failed" />
    <span class="ell">{by} failed after the reply</span>
  </span>
)

/** The word alone where nobody's name belongs before it. */
const namedOutcomes: readonly Outcome[] = ["blocked", "asked", "failed", "late", "unheard"]

export const OutcomeTag = ({ by, outcome }: Pick<Call, "by" | "outcome">) => {
  const { look, sign, word } = looks[outcome]
  if (look === null || look === "ok") return null
  return (
    <span class={`tag ${look}`}>
      {sign !== null && <Mark sign={sign} />}
      <span class="ell">{by !== null && namedOutcomes.includes(outcome) ? `${by} ${word}` : word}</span>
    </span>
  )
}

/** Nobody was asked about it here: the agent's own transcript tells of it. */
export const TranscriptTag = () => (
  <span class="tag told" title="Told by the agent's transcript; no hook of hooktape saw it">
    transcript
  </span>
)

export const AgentChip = ({ agent }: { readonly agent: string | null }) => (
  <span class="ag" title={agentName(agent)}>
    <span aria-hidden="true">{agentLetter(agent)}</span>
    <span class="hidden">{agentName(agent)}</span>
  </span>
)

/** `Bash`, or the event where it was about no tool. */
export const aboutOf = ({ agentEvent, event, tool }: Pick<Call, "agentEvent" | "event" | "tool">): string =>
  tool?.name ?? agentEvent ?? event ?? "call"

const phases: Readonly<Record<string, string>> = {
  "tool.before": "before",
  "tool.after": "after",
  "tool.failure": "after it failed"
}
export const phaseOf = ({ event }: Pick<Call, "event">): string => phases[event ?? ""] ?? ""

export const isSlow = (ms: number | null): boolean => ms !== null && ms >= slowMs

/** The hook that took most of it, where that is worth a word. */
export const slowest = ({ hooks }: Pick<Call, "hooks">) =>
  hooks.reduce<Call["hooks"][number] | undefined>(
    (most, one) => ((one.ms ?? 0) > (most?.ms ?? -1) ? one : most),
    undefined
  )
