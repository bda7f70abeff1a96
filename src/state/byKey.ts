/** Groups, in the order in which their first came; each in the order in which it was given. */
export const byKey = <A, K>(all: readonly A[], keyOf: (one: A) => K): ReadonlyMap<K, readonly A[]> => {
  const groups = new Map<K, A[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups
}
