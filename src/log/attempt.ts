/** What came of it, or something else where it threw: of a file that may be damaged, any reading may throw. */
export const attempt = <A, B = undefined>(act: () => A, otherwise?: B): A | B => {
  try {
    return act()
  } catch {
    return otherwise as B
  }
}
