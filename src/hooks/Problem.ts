/** What is wrong with a hook file, a configuration or a build, as a person fixes it: where, what, and what to do. */

export interface Problem {
  readonly file: string
  /** From 1, where known. */
  readonly line?: number
  readonly column?: number
  readonly reason: string
  readonly remedy?: string
}

/** `file:line:column`, as far as it is known. */
export const placeOf = ({ column, file, line }: Pick<Problem, "column" | "file" | "line">): string =>
  [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":")

export const describeProblem = (problem: Problem): string => {
  const { reason, remedy } = problem
  const told = `${placeOf(problem)}: ${reason}`
  return remedy === undefined ? told : `${told}\n  ${remedy}`
}

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The known word that was most likely meant. */
export const nearestOf = (word: string, known: readonly string[]): string | undefined => {
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
  const [best] = ranked
  return best !== undefined && best.far <= Math.max(2, Math.floor(word.length / 2))
    ? best.candidate
    : undefined
}

export const didYouMean = (word: string, known: readonly string[]): string => {
  const nearest = nearestOf(word, known)
  return nearest === undefined ? `Known are ${known.join(", ")}.` : `Did you mean "${nearest}"?`
}
