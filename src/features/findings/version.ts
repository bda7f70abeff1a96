/** Light: whoever only asks needs no more. */
export const findingsVersion = { name: "findings", version: 4 } as const

export const findingsTables = ["findings", "findings_sessions", "findings_chains", "findings_steps"] as const
