/** Imported by a planted violation. */
export const helper = 1
