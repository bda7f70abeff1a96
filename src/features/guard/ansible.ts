/** What `ansible` is to do on its hosts, as a command of a shell there. */

const optionOf = (texts: readonly string[], short: string, long: string): string | undefined => {
  for (const [at, text] of texts.entries()) {
    if (text === short || text === long) return texts[at + 1]
    if (text.startsWith(`${long}=`)) return text.slice(long.length + 1)
    if (text.startsWith(short) && !text.startsWith("--") && text.length > 2) return text.slice(2)
  }
  return undefined
}

const valueIn = (told: string, names: string): string | undefined => {
  const [, quoted, plain] =
    new RegExp(`(?:^|\\s)(?:${names})=(?:"([^"]{1,300})"|'?([^\\s']{1,300}))`).exec(told) ?? []
  return quoted ?? plain
}

/** A module is `command` unless it is named; what most of them do is written in a state, not in a command. */
export const ansibleText = (texts: readonly string[]): string | undefined => {
  const told = optionOf(texts, "-a", "--args")
  if (told === undefined) return undefined
  const module = (optionOf(texts, "-m", "--module-name") ?? "command").replace(/^(?:ansible\.\w+\.)+/, "")
  if (/^(?:command|shell|raw)$/.test(module))
    return told.replace(/^(?:(?:chdir|creates|removes|executable)=\S+\s+)+/, "")
  if (module !== "file" || !/(?:^|\s)state=["']?absent\b/.test(told)) return undefined
  const path = valueIn(told, "path|dest|name")
  return path === undefined ? undefined : `rm -rf ${path}`
}
