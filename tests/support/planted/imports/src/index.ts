/** Imported by a planted violation. */
export const surface = 1
