/** A new schema version is raised in one place: whoever wrote its own would go on writing the old one. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import type { FactId } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { noMarks } from "../../../events/Recorded.ts"
import { schemaVersion } from "../../../events/schemaVersion.ts"

const project = fileURLToPath(new URL("../../..", import.meta.url))

/** Who may ask for the version: the builder, and whoever reads what others wrote. */
const askers = [
  "events/makeDraft.ts",
  "events/upcast.ts",
  "src/programs/cli/switchHooks.ts",
  "src/programs/host/checkMessage.ts",
  "src/tools/collector/ingest/checkFact.ts",
  "src/tools/fleet/InstallationLog.ts",
  "src/tools/fleet/restored.ts"
]

/** Names in a source that stand for a number. */
const numbersIn = (file: ts.SourceFile): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isNumericLiteral(node.initializer))
      names.add(node.name.getText(file))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return names
}

/** What of a source writes a schema version of its own. */
const writesIn = (path: string, text: string): readonly string[] => {
  if (!text.includes("schemaVersion")) return []
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const numbers = numbersIn(file)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && /\/schemaVersion\.ts["']$/.test(node.moduleSpecifier.getText(file)))
      if (!askers.includes(path)) found.push(`${path} asks for the version`)
    const isVersion =
      (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) &&
      /^["']?schemaVersion["']?$/.test(node.name.getText(file))
    if (isVersion) {
      const value = ts.isPropertyAssignment(node) ? node.initializer : node.name
      if (ts.isNumericLiteral(value) || numbers.has(value.getText(file)))
        found.push(`${path} writes version ${value.getText(file)}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const sources = ["events", "machines", "src"].flatMap((folder) =>
  readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
)

describe("a draft", () => {
  it("is the fact with its type, today's schema version, its place and its columns", () => {
    const id = "0198c0de-0000-7000-8000-000000000001" as FactId
    const fact = { type: "EXITED", code: 0 } as const
    const place = { id, stream: "invocation/a", at: 7 }
    const plain = { ...place, type: "EXITED", schemaVersion, cause: null, ...noMarks, data: fact }
    expect(makeDraft(fact, place)).toEqual(plain)
    expect(makeDraft(fact, { ...place, cause: id, marks: { session: "s", toolUseId: null } })).toEqual({
      ...plain,
      cause: id,
      session: "s"
    })
  })

  it("has its schema version from one place, whoever makes it", () => {
    expect(sources.length).toBeGreaterThan(500)
    expect(sources.flatMap((path) => writesIn(path, readFileSync(join(project, path), "utf8")))).toEqual([])
  })

  it.each([
    ["a number", "const draft = { stream, schemaVersion: 1 }", "src/planted.ts writes version 1"],
    [
      "a name of its own",
      'const version = 1\nexport const d = { "schemaVersion": version }',
      "src/planted.ts writes version version"
    ],
    [
      "a name of its own, in short",
      "const schemaVersion = 2\nexport const d = { schemaVersion }",
      "src/planted.ts writes version schemaVersion"
    ],
    [
      "the version itself",
      'import { schemaVersion } from "../events/schemaVersion.ts"\nexport const d = { schemaVersion }',
      "src/planted.ts asks for the version"
    ]
  ])("is not passed by with %s", (_, text, problem) => {
    expect(writesIn("src/planted.ts", text)).toEqual([problem])
  })
})
