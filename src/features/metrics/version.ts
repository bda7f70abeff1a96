/** Light: whoever only asks needs no more. */
export const metricsVersion = { name: "metrics", version: 3 } as const
