/** Which file a path means, as far as it says. Pure. */

export const baseOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

/** Without what only says where one stands: `./`, `../`. */
const partsOf = (path: string): readonly string[] =>
  path.split(/[\\/]+/).filter((part) => part !== "" && part !== "." && part !== "..")

const endsIn = (path: readonly string[], end: readonly string[]): boolean =>
  end.length > 0 && end.length <= path.length && end.every((part, at) => path.at(at - end.length) === part)

/** They name one file, as far as the shorter of them goes. */
export const isSameFile = (one: string, other: string): boolean => {
  const [mine, theirs] = [partsOf(one), partsOf(other)]
  return endsIn(mine, theirs) || endsIn(theirs, mine)
}
