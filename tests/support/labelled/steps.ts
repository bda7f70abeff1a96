/** How much is done, counted instead of timed: what is put into lists and sets, copied out of lists or cut out of texts, put into maps and looked for there. */

export const countSteps = (work: () => void): number => {
  let steps = 0
  const { push, slice } = Array.prototype
  const { has, set } = Map.prototype
  const { split } = String.prototype
  const { add } = Set.prototype
  // A map that is copied sets every one of its entries.
  Map.prototype.set = function (key, value) {
    steps++
    return set.call(this, key, value)
  }
  // Every command is looked for among the functions.
  Map.prototype.has = function (key) {
    steps++
    return has.call(this, key)
  }
  Set.prototype.add = function (value) {
    steps++
    return add.call(this, value)
  }
  Array.prototype.push = function (...items) {
    steps += items.length
    return push.apply(this, items)
  }
  Array.prototype.slice = function (from, to) {
    const copied = slice.call(this, from, to)
    steps += copied.length
    return copied
  }
  String.prototype.split = function (this: string, ...how: Parameters<typeof split>) {
    const parts = split.apply(this, how)
    steps += parts.length
    return parts
  } as typeof split
  try {
    work()
  } finally {
    Array.prototype.push = push
    Array.prototype.slice = slice
    String.prototype.split = split
    Map.prototype.set = set
    Map.prototype.has = has
    Set.prototype.add = add
  }
  return steps
}
