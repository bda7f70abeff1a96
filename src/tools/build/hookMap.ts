/**
 * The source map of a bundle, cut down to the files of those who wrote the hooks: a stack then names their file and line, and what
 * lies beside a bundle stays small. Pure.
 */

/** Version 3 of the format, as far as it is used. */
export interface SourceMap {
  readonly version: 3
  readonly sources: readonly string[]
  readonly names: readonly string[]
  readonly mappings: string
}

/** A place in the bundle's line, and where it comes from: file, line, column, name. Nothing where that is nobody's business. */
type Segment = readonly [
  column: number,
  source?: number | undefined,
  line?: number | undefined,
  original?: number | undefined,
  name?: number | undefined
]

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const valueOf = new Map([...digits].map((digit, value) => [digit, value]))

/** Numbers of variable length, five bits a digit, the sign in the lowest. */
const decoded = (text: string): readonly number[] => {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const digit of text) {
    const bits = valueOf.get(digit) ?? 0
    value += (bits & 31) * 2 ** shift
    shift += 5
    if (bits & 32) continue
    numbers.push(value % 2 === 1 ? -(value - 1) / 2 : value / 2)
    value = 0
    shift = 0
  }
  return numbers
}

const encoded = (number: number): string => {
  let rest = number < 0 ? -number * 2 + 1 : number * 2
  let text = ""
  do {
    const bits = rest % 32
    rest = Math.floor(rest / 32)
    text += digits[rest > 0 ? bits + 32 : bits]
  } while (rest > 0)
  return text
}

/** All but the column go on from line to line. */
const linesOf = (mappings: string): readonly (readonly Segment[])[] => {
  let [source, line, original, name] = [0, 0, 0, 0]
  return mappings.split(";").map((text) => {
    let column = 0
    return text === ""
      ? []
      : text.split(",").map((one): Segment => {
          const [dColumn = 0, dSource, dLine = 0, dOriginal = 0, dName] = decoded(one)
          column += dColumn
          if (dSource === undefined) return [column]
          source += dSource
          line += dLine
          original += dOriginal
          if (dName === undefined) return [column, source, line, original]
          name += dName
          return [column, source, line, original, name]
        })
  })
}

const written = (lines: readonly (readonly Segment[])[]): string => {
  let before: readonly [number, number, number, number] = [0, 0, 0, 0]
  return lines
    .map((segments) => {
      let at = 0
      return segments
        .map(([column, source, line = 0, original = 0, name]) => {
          const start = encoded(column - at)
          at = column
          if (source === undefined) return start
          const [sourceBefore, lineBefore, originalBefore, nameBefore] = before
          before = [source, line, original, name ?? nameBefore]
          const place = [source - sourceBefore, line - lineBefore, original - originalBefore]
          return start + [...place, ...(name === undefined ? [] : [name - nameBefore])].map(encoded).join("")
        })
        .join(",")
    })
    .join(";")
}

/** Runs of what is kept, each with its end: what follows it is not of the same file. */
const keeping = (segments: readonly Segment[], isKept: (segment: Segment) => boolean): readonly Segment[] => {
  const kept: Segment[] = []
  let inside = false
  for (const segment of segments) {
    const is = isKept(segment)
    if (is) kept.push(segment)
    else if (inside) kept.push([segment[0]])
    inside = is
  }
  return kept
}

/** The numbers that are used, counted anew. */
const renumbered = (used: readonly number[]): ReadonlyMap<number, number> =>
  new Map([...new Set(used)].map((old, at) => [old, at]))

/** Only what stands for these sources. Undefined where nothing does. */
export const hookMap = (map: SourceMap, isWanted: (source: string) => boolean): SourceMap | undefined => {
  const wanted = map.sources.map(isWanted)
  const lines = linesOf(map.mappings).map((segments) =>
    keeping(segments, ([, source]) => source !== undefined && wanted[source] === true)
  )
  const all = lines.flat()
  if (all.length === 0) return undefined
  const sources = renumbered(all.flatMap(([, source]) => source ?? []))
  const names = renumbered(all.flatMap(([, , , , name]) => name ?? []))
  const anew = lines.map((segments) =>
    segments.map(([column, source, line, original, name]): Segment => {
      if (source === undefined) return [column]
      const place = [column, sources.get(source), line, original] as const
      return name === undefined ? place : [...place, names.get(name)]
    })
  )
  return {
    version: 3,
    sources: [...sources.keys()].map((old) => map.sources[old] ?? ""),
    names: [...names.keys()].map((old) => map.names[old] ?? ""),
    // Node's reader takes an end of a run for one only where something follows.
    mappings: `${written(anew)};`
  }
}
