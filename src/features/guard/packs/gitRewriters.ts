/** Programs besides git that rewrite a repository's history, however they are started. */
import { type Call, nameOf, textsOf } from "../Call.ts"

interface Rewriter {
  readonly name: string
  /** What it is told. */
  readonly texts: readonly string[]
}

const jar = /^bfg(?:[-_.]?\d[\w.-]*)?\.jar$/
const script = /^git[-_]filter[-_]repo(?:\.py)?$/

const mayRewrite = /^(?:bfg|git[-_]f|java|py)/

/** `java -jar bfg-1.14.0.jar`, `python3 git-filter-repo`, `python3 -m git_filter_repo`, `./git-filter-repo`. */
export const rewriterOf = ({ args, name }: Call): Rewriter | undefined => {
  if (!mayRewrite.test(name)) return undefined
  if (name === "bfg") return { name, texts: textsOf(args) }
  if (script.test(name)) return { name, texts: textsOf(args) }
  const isJava = name === "java"
  if (!isJava && !/^(?:python|pypy)[\d.]*$/.test(name)) return undefined
  const texts = textsOf(args)
  const at = texts.findIndex((text, place) =>
    isJava ? texts[place - 1] === "-jar" && jar.test(nameOf(text)) : script.test(nameOf(text))
  )
  // Behind another script it is one of that script's words.
  const isRun = isJava || texts.slice(0, Math.max(0, at)).every((text) => text.startsWith("-"))
  return at >= 0 && isRun ? { name: nameOf(texts[at] as string), texts: texts.slice(at + 1) } : undefined
}
