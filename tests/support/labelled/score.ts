/** How a classifier does on a labelled table: figures, and every case that it gets wrong. */

export interface Wrong {
  readonly text: string
  readonly label: string | null
  readonly given: string | null
}

export interface Score {
  readonly size: number
  readonly right: number
  /** Of those that it names, how many are what it says. */
  readonly precision: number
  /** Of those that there are, how many it names as what they are. */
  readonly recall: number
  readonly wrong: readonly Wrong[]
}

export const score = (
  table: readonly (readonly [text: string, label: string | null])[],
  classify: (text: string) => string | null
): Score => {
  const judged = table.map(([text, label]) => ({ text, label, given: classify(text) }))
  const count = (test: (one: Wrong) => boolean): number => judged.filter(test).length
  const hits = count(({ label, given }) => given !== null && given === label)
  return {
    size: table.length,
    right: count(({ label, given }) => given === label),
    precision:
      hits /
      Math.max(
        1,
        count(({ given }) => given !== null)
      ),
    recall:
      hits /
      Math.max(
        1,
        count(({ label }) => label !== null)
      ),
    wrong: judged.filter(({ label, given }) => given !== label)
  }
}
