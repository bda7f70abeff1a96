/** Whether what a search takes of a project is its history: by name or by path, and not passed over. */

/** As they are printed from where the search begins. */
const history = [".git", ".git/HEAD", ".git/objects/00/00"]

/** `*` and `?` as `find` has them: they stand for slashes and dots as well. */
export const fitsGlob = (pattern: string, text: string): boolean => {
  const wanted = pattern.replace(/\[[^\]]*\]/g, "?")
  let [at, star, mark] = [0, -1, 0]
  for (let place = 0; place < text.length; ) {
    if (at < wanted.length && (wanted[at] === "?" || wanted[at] === text[place]) && wanted[at] !== "*") {
      at++
      place++
    } else if (wanted[at] === "*") {
      star = at++
      mark = place
    } else if (star >= 0) {
      at = star + 1
      place = ++mark
    } else return false
  }
  return /^\**$/.test(wanted.slice(at))
}

const asGlob = (regex: string): string => regex.replace(/\.[*+]/g, "*").replace(/\\(.)/g, "$1")

const naming = /^-(i?)(?:(name)|(path|wholename)|(regex))$/

/** One way of a search, between two `-o`: whether it takes this path, by what it asks of names and paths. */
const takes = (way: readonly string[], path: string, root: string): boolean => {
  let isNamed = false
  for (const [at, test] of way.entries()) {
    const [, ignoresCase, name, , regex] = naming.exec(test) ?? []
    const given = way[at + 1]
    const isNot = /^(?:!|-not)$/.test(way[at - 1] ?? "")
    if (given === undefined) continue
    if (test === "-type" && !(given.includes("d") ? path === ".git" : path !== ".git") !== isNot) return false
    if (test === "-mindepth" && Number(given) > path.split("/").length) return false
    if (test === "-maxdepth" && Number(given) < path.split("/").length) return false
    if (ignoresCase === undefined) continue
    const fold = (text: string): string => (ignoresCase === "i" ? text.toLowerCase() : text)
    const seen = name === undefined ? `${root.replace(/\/+$/, "")}/${path}` : path.replace(/^.*\//, "")
    if (fitsGlob(fold(regex === undefined ? given : asGlob(given)), fold(seen)) === isNot) return false
    isNamed ||= !isNot
  }
  return isNamed
}

/** `tests`: what `find` is told behind its roots. */
export const takesHistory = (tests: readonly string[], root: string): boolean => {
  const ways: string[][] = [[]]
  for (const text of tests) {
    if (/^-or?$/.test(text)) ways.push([])
    else if (!/^\\?[()]$/.test(text)) ways.at(-1)?.push(text)
  }
  const isPassedOver = (path: string, before: number): boolean =>
    ways
      .slice(0, before)
      .some((way) => way.includes("-prune") && (takes(way, ".git", root) || takes(way, path, root)))
  return history.some((path) =>
    ways.some((way, at) => !way.includes("-prune") && takes(way, path, root) && !isPassedOver(path, at))
  )
}
