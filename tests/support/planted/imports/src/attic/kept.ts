/** Planted: a folder that no rule knows. */
export const kept = "for later"
