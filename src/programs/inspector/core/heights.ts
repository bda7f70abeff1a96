/** Where the rows of a long list stand: all are of one height, but for some that are taller, each by the same. Pure. */

export interface Heights {
  readonly whole: number
  readonly topOf: (at: number) => number
  readonly heightOf: (at: number) => number
  /** The row that stands at so many pixels. */
  readonly rowAt: (top: number) => number
}

/** The first place in `from` to `to` for which `isBeyond`; `to` where there is none. */
const firstBeyond = (from: number, to: number, isBeyond: (at: number) => boolean): number => {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBeyond(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** `tall`: which rows are taller, in order. */
export const makeHeights = (
  total: number,
  height: number,
  tall: readonly number[],
  more: number
): Heights => {
  const tallBefore = (at: number): number => firstBeyond(0, tall.length, (nth) => (tall[nth] ?? 0) >= at)
  const topOf = (at: number): number => at * height + tallBefore(at) * more
  return {
    whole: topOf(total),
    topOf,
    heightOf: (at) => topOf(at + 1) - topOf(at),
    rowAt: (top) =>
      Math.max(
        0,
        firstBeyond(0, total, (at) => topOf(at + 1) > top)
      )
  }
}
