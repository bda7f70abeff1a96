/** Which of the files in a folder a program of another language means: those that a pattern fits, or those that it asks for their name. */

const wrapped = String.raw`(?:(?:list|sorted|set|tuple|reversed)\()?`
const path = String.raw`(?:\w+\.)?Path(?:\((?:\s?(?:["'](?<root>[^"'\n]{0,200})["'])?\s?)\)|\.(?<place>home|cwd)\(\))`
const matching = new RegExp(
  String.raw`${wrapped}${path}(?:\.(?:expanduser|resolve|absolute)\(\))*\.(?:(?<all>iterdir)\(|r?glob\(\s?[rbf]?["'](?<pattern>[^"'\n]{1,200})["'])`,
  "y"
)

/** `Path(".").rglob("*.pyc")` at this place, as a shell would name what it fits. */
export const matchedAt = (text: string, at: number): string | undefined => {
  matching.lastIndex = at
  const { all, pattern, place, root = "." } = matching.exec(text)?.groups ?? {}
  const name = all === undefined ? pattern : "*"
  if (name === undefined) return undefined
  return `${place === "home" ? "~" : root === "" ? "." : root}/${name}`
}

/** A condition that some names fulfil; one that all but some fulfil chooses nothing. */
export const chooses =
  /\b(?:if|filter|select|grep)\b(?![^;\n]{0,80}(?:!=|\bnot\b|!\w))[^;\n]{0,80}?(?:==|\.(?:ends|starts)[wW]ith\(|\.(?:match|search|test|includes)\(|\bfnmatch\b|\sin\s?[([{]|=~|\.(?:end|start)_with\?|\.suffix\b)/
