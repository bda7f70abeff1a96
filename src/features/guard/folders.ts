/** Paths as texts: what lies in what. */

/** Without `.`, `..` and double slashes. Links are not followed: nothing is known of the disk here. */
export const normalized = (path: string): string => {
  const kept: string[] = []
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    if (part === "..") kept.pop()
    else kept.push(part)
  }
  return `/${kept.join("/")}`
}

export const below = (path: string, folder: string): boolean =>
  folder === "/" ? path !== "/" : path.startsWith(`${folder}/`)

export const within = (path: string, folder: string): boolean => path === folder || below(path, folder)
