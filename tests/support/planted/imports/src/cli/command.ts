/** Not a violation: a shell that is imported. */
export const command = "log"
