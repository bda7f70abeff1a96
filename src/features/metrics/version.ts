/** Light: whoever only asks needs no more. */
export const metricsVersion = { name: "metrics", version: 4 } as const
