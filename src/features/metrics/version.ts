/** Light: whoever only asks needs no more. */
export const metricsVersion = { name: "metrics", version: 2 } as const
