/** Agents run the same command lines again and again: what one means is worked out once, as long as it is among the last. */
const most = 200
/** Whoever writes a script on one line hardly does so twice. */
const longest = 500

export const rememberLines = <A>(
  read: (line: string, folder: string) => A
): ((line: string, folder: string) => A) => {
  const known = new Map<string, A>()
  return (line, folder) => {
    if (line.length > longest) return read(line, folder)
    const key = `${folder}\n${line}`
    const before = known.get(key)
    const found = before ?? read(line, folder)
    known.delete(key)
    known.set(key, found)
    const [oldest] = known.size > most ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return found
  }
}
