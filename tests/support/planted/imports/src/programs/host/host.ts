/** Not a violation: another program. */
export const host = "ready"
