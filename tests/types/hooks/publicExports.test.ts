/** What an author's editor shows of our exports: of each what it is and an example, and each example is code that compiles. */
import { join } from "node:path"
import ts from "typescript"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..", "..", "..")
const index = join(root, "src", "index.ts")
const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  types: [],
  skipLibCheck: true
}

interface Exported {
  readonly name: string
  readonly says: string
  readonly examples: readonly string[]
}

const exportsOf = (): readonly Exported[] => {
  const program = ts.createProgram([index], options)
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(index)
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) throw new Error("src/index.ts exports nothing")
  return checker.getExportsOfModule(module).map((symbol) => {
    const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const examples = declared.getJsDocTags(checker).filter(({ name }) => name === "example")
    return {
      name: symbol.name,
      says: ts.displayPartsToString(declared.getDocumentationComment(checker)),
      examples: examples.map(({ text }) => ts.displayPartsToString(text))
    }
  })
}

const exported = exportsOf()

/** Each example in a file of its own, with all exports at hand as after an import. */
const sourceOf = (example: string): string => {
  const names = exported.map(({ name }) => name).join(", ")
  return `import { ${names} } from "./index.ts"\n${example}\nexport const end = 0\n`
}

const problemsIn = (sources: ReadonlyMap<string, string>): readonly string[] => {
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile, readFile } = host
  host.fileExists = (path) => sources.has(path) || fileExists(path)
  host.readFile = (path) => sources.get(path) ?? readFile(path)
  host.getSourceFile = (path, target) => {
    const text = sources.get(path)
    return text === undefined ? getSourceFile(path, target) : ts.createSourceFile(path, text, target)
  }
  const program = ts.createProgram([...sources.keys()], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`)
}

describe("an export", () => {
  it("has a sentence and an example, each of them", () => {
    expect(exported.length).toBeGreaterThan(50)
    expect(exported.filter(({ says }) => says.length < 10).map(({ name }) => name)).toEqual([])
    expect(exported.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([])
  })

  it("has an example that is about it", () => {
    const apart = exported.filter(({ examples, name }) => !examples.some((one) => one.includes(name)))
    expect(apart.map(({ name }) => name)).toEqual([])
  })

  it("has an example that compiles, and one that did not would be found", () => {
    const examples = exported.flatMap(({ examples }) => examples)
    const sources = [...examples, "const no: Duration = true"].map(
      (example, nth) => [join(root, "src", `example-${nth}.ts`), sourceOf(example)] as const
    )
    expect(problemsIn(new Map(sources))).toEqual([
      expect.stringMatching(`example-${examples.length}.ts: Type 'true' is not assignable to type 'Duration'`)
    ])
  })
})
