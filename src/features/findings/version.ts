/** Light: whoever only asks needs no more. */
export const findingsVersion = { name: "findings", version: 1 } as const

export const findingsTables = ["findings", "findings_sessions"] as const
