/** Not a violation: a program that is imported. */
export const command = "log"
