/** Planted: a file in no folder. */
export const loose = 1
