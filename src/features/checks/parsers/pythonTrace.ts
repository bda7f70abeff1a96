/** The traceback of a Python program: the exception, and the last frame that is no package's. */
import { linesOf } from "../lines.ts"
import { maxProblems, type Parser, type Problem } from "../Problem.ts"

const frame = /^\s*File "([^"]+)", line (\d+)(?:, in (.+))?$/
const raised = /^([A-Za-z_][\w.]*): (.*)$|^([A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning))$/
const foreign = /site-packages|dist-packages|\/lib\/python|<frozen|<string>|<stdin>/

const readTrace = (lines: readonly string[], from: number): Problem | undefined => {
  const frames: { readonly file: string; readonly line: number; readonly name: string }[] = []
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at] as string
    const one = frame.exec(line)
    if (one) frames.push({ file: one[1] as string, line: Number(one[2]), name: one[3] ?? "" })
    else if (/^\S/.test(line)) {
      const error = raised.exec(line)
      if (error === null) return undefined
      const own = frames.findLast(({ file }) => !foreign.test(file)) ?? frames.at(-1)
      const code = (error[1] ?? error[3] ?? "").split(".").at(-1) as string
      const place = own === undefined || foreign.test(own.file) ? {} : { file: own.file, line: own.line }
      return { family: "python", code, message: error[2] ?? code, ...place }
    }
  }
  return undefined
}

export const pythonTrace: Parser = {
  family: "python",
  kind: "trace",
  marks: /^\s*Traceback \(most recent call last\)|^\s*File ".+", line \d+|^\w*(?:Error|Exception): /m,
  parse: (text) => {
    const lines = linesOf(text)
    const found: Problem[] = []
    for (const [at, line] of lines.entries()) {
      if (found.length >= maxProblems) break
      if (!/^\s*Traceback \(most recent call last\)/.test(line)) continue
      const problem = readTrace(lines, at)
      if (problem !== undefined) found.push(problem)
    }
    if (found.length === 0) {
      // A mistake of syntax has no traceback.
      const at = lines.findIndex((line) => /^(?:SyntaxError|IndentationError|TabError): /.test(line))
      const [, code = "", message = ""] = /^(\w+): (.+)$/.exec(lines[at] ?? "") ?? []
      const place = lines.slice(0, Math.max(0, at)).findLast((line) => frame.test(line))
      const file = frame.exec(place ?? "")?.[1]
      if (at >= 0)
        found.push({
          family: "python",
          code,
          message,
          ...(file === undefined || foreign.test(file) ? {} : { file })
        })
    }
    return { problems: found, verdict: found.length > 0 ? "fail" : undefined }
  }
}
