/** Chains of a made-up log: one that is open, two that were resolved, one that was left. */
import type { Call } from "../../../src/features/inspector/contract/call.ts"
import type { ChainRow } from "../../../src/features/inspector/contract/chains.ts"

const minute = 60_000

const problems = [
  ["src/routes/users.ts TS2339: Property 'id' does not exist on type 'User'", "tsc", "attempted"],
  ["tests/users.test.ts expected 200 to be 404", "vitest", "resolved"],
  ["src/db/pool.ts: connect ECONNREFUSED 127.0.0.1:5432", "node", "resolved"],
  ["README.md: String to replace not found in file", "agent", "abandoned"]
] as const

export const sampleChains = (calls: readonly Call[]): readonly ChainRow[] => {
  const call = calls.at(-1)
  if (call === undefined) return []
  return problems.map(([problem, family, state], nth): ChainRow => {
    const opened = call.at - (nth + 1) * 20 * minute
    const fix = [{ toolUse: `fix-${nth}`, kind: "edit" as const, what: "src/routes/users.ts" }]
    const isResolved = state === "resolved"
    const missed = { at: opened + minute, helped: false, how: "the same problem again" }
    const helped = { at: opened + 3 * minute, helped: true, how: "npx tsc --noEmit went well", steps: fix }
    return {
      chain: `chain-${nth}`,
      state,
      grade: isResolved ? (nth === 1 ? "A" : "C") : null,
      problem,
      family,
      agent: call.agent,
      project: call.project,
      session: call.session,
      opened,
      moved: opened + 4 * minute,
      seen: nth + 1,
      sightings: [{ toolUse: call.tool?.use ?? "", at: opened }],
      relation: nth === 2 ? "recurrence" : "new",
      earlier: nth === 2 ? "chain-3" : null,
      attempts: [
        { ...missed, steps: [{ toolUse: `try-${nth}`, kind: "command", what: "npm install" }] },
        ...(isResolved ? [helped] : [])
      ],
      fix: isResolved ? fix : [],
      proof: isResolved
        ? { by: "npx tsc --noEmit", toolUse: `proof-${nth}`, shown: "proved", at: opened + 4 * minute }
        : null,
      ms: isResolved ? 4 * minute : null,
      flaky: false,
      abandoned: state === "abandoned" ? "its session ended" : null
    }
  })
}
