/** The list of everything that can emit on the way of a hook call: complete, one row for each call, and each gap dealt with. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { findCore } from "../../src/tools/build/core.ts"
import { launcher } from "../../src/tools/install/launcher.ts"
import { rows } from "../support/markdown.ts"

const project = fileURLToPath(new URL("../../", import.meta.url))
const read = (path: string) => readFileSync(join(project, path), "utf8")
const page = read("docs/reference/emit-points.md")
const [heading = [], ...list] = rows(page)
const places = list.map(([place = ""]) => place)

const parsed = new Map<string, ts.SourceFile>()
const parse = (path: string): ts.SourceFile => {
  const file = parsed.get(path) ?? ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true)
  parsed.set(path, file)
  return file
}

/** At once, or when it is needed. */
const importedBy = (node: ts.Node): string | undefined => {
  const from = ts.isImportDeclaration(node)
    ? node.importClause?.isTypeOnly === true
      ? undefined
      : node.moduleSpecifier
    : ts.isExportDeclaration(node) && !node.isTypeOnly
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : undefined
  return from !== undefined && ts.isStringLiteralLike(from) ? from.text : undefined
}

/** What is started for a hook call, and what a build puts into the bundle that answers it: no import leads from one to another. */
const beginnings = (): readonly string[] => {
  const {
    adapters,
    external,
    handlerServices,
    index,
    late,
    loadFiles,
    main,
    recall,
    retain,
    runEffect,
    shipped
  } = findCore()
  const programs = ["entry/load", "entry/nodeLauncher", "host/main", "host/workerMain", "host/threadMain"]
  const modules = [external, handlerServices, index, late.module, loadFiles, main, recall, retain, runEffect]
  return [
    ...programs.map((name) => `src/programs/${name}.ts`),
    ...[...modules, ...adapters.map(({ module }) => module), ...shipped.map(({ file }) => file)].map((file) =>
      relative(project, file)
    )
  ]
}

/** What a hook call evaluates, in process and in a host, from its beginnings on along every import that is more than types. */
const evaluated = (): readonly string[] => {
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const look = (node: ts.Node): void => {
      const target = importedBy(node)
      if (target?.startsWith(".")) visit(relative(project, resolve(project, dirname(path), target)))
      ts.forEachChild(node, look)
    }
    look(parse(path))
  }
  for (const path of beginnings()) visit(path)
  return [...seen]
}
const onTheWay = evaluated()

/** The function that a node stands in, by the name it was given. */
const within = (node: ts.Node): string => {
  const { parent } = node
  if (parent === undefined) return "the module"
  if (ts.isArrowFunction(parent) || ts.isFunctionExpression(parent)) {
    const holder = parent.parent
    if (ts.isVariableDeclaration(holder) || ts.isPropertyAssignment(holder)) return holder.name.getText()
  }
  return within(parent)
}

const emits =
  /^(writeSync|tryWrite|\w+(\.\w+)*\.deliver|reallyExit\.call|exit|process\.(\w*[eE]xit|abort|std(out|err)\.\w+)|console\.\w+|createWriteStream|\w*[sS]ocket\.(write|end)|HttpServerResponse\.(?!set)\w+)$/
/** Into a file by its name, and into no descriptor. */
const opensFile = ({ arguments: [, options], expression }: ts.CallExpression): boolean =>
  expression.getText() === "createWriteStream" &&
  options !== undefined &&
  ts.isObjectLiteralExpression(options) &&
  options.properties.every((one) => ts.isPropertyAssignment(one) && one.name.getText() !== "fd")

/** What ends a process or a child's stream without being a call. */
const isSetting = (node: ts.Node): boolean =>
  (ts.isBinaryExpression(node) && /^process\.exitCode$/.test(node.left.getText())) ||
  (ts.isPropertyAssignment(node) &&
    node.name.getText() === "stdio" &&
    /"inherit"/.test(node.initializer.getText()))

interface Call {
  readonly path: string
  readonly within: string
  readonly text: string
}

/** What the log and the state directory's own modules write by descriptor are files of ours. */
const isFileOfOurs = ({ fileName }: ts.SourceFile, callee: string): boolean =>
  callee === "writeSync" && /^src\/(state|log|history)\/(?!spool\/journal\.ts)/.test(fileName)

/** Every place that writes, delivers or exits. */
const callsIn = (file: ts.SourceFile): readonly Call[] => {
  const found: Call[] = []
  const isEmitting = (node: ts.Node): boolean => {
    if (!ts.isCallExpression(node)) return isSetting(node)
    const callee = node.expression.getText()
    return emits.test(callee) && !opensFile(node) && !isFileOfOurs(file, callee)
  }
  const visit = (node: ts.Node): void => {
    if (isEmitting(node)) found.push({ path: file.fileName, within: within(node), text: node.getText() })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/**
 * Each function of the client with what it says to the agent, and how it ends: `function, call`. Other descriptors are files and pipes
 * of its own.
 */
const clientCallsIn = (source: string): readonly string[] => {
  const found = new Set<string>()
  let within = "?"
  for (const line of source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "").split("\n")) {
    within = /^(?:static |_Noreturn )*[\w *]+?\b(\w+)\([^;]*\)\s*\{$/.exec(line)?.[1] ?? within
    const says = /\b(write_all|write|writev|send|dprintf)\s*\(\s*(?:[12]|STD(?:OUT|ERR)_FILENO)\s*,/.exec(
      line
    )
    const ends = /\b(_exit|exit|abort|raise|v?f?printf|f?puts|putchar|perror)\s*\(/.exec(line)
    for (const call of [says, ends]) if (call !== null) found.add(`${within}, ${call[1]}`)
  }
  return [...found]
}

const clientCalls = (): readonly string[] =>
  readdirSync(join(project, "src/programs/client"))
    .filter((name) => name.endsWith(".c"))
    .flatMap((name) => clientCallsIn(read(`src/programs/client/${name}`)))

/** `file`, `function`, `beginning of the call` */
const parts = (place: string) => [...place.matchAll(/`([^`]+)`/g)].map(([, part = ""]) => part)

const names = (place: string, call: Call): boolean => {
  const [path, name, text = "?"] = parts(place)
  return path === call.path && name === call.within && call.text.startsWith(text)
}

describe("docs/reference/emit-points.md", () => {
  const calls = onTheWay.flatMap((path) => callsIn(parse(path)))

  it("has a row for each call that writes, delivers or exits, and a call for each row", () => {
    expect(onTheWay.length).toBeGreaterThan(700)
    expect(onTheWay).toEqual(
      expect.arrayContaining([
        "src/programs/entry/loadFiles.ts",
        "src/programs/host/threadMain.ts",
        "src/runtime/externalHook.ts",
        "src/features/format/formatOnEdit.ts"
      ])
    )
    expect(calls.length).toBeGreaterThan(8)
    const matched = calls.map((call) => places.filter((place) => names(place, call)).length)
    expect(calls.filter((_, at) => matched[at] !== 1)).toEqual([])
    const ours = places.filter((place) => place.startsWith("`src/"))
    expect(ours.filter((place) => calls.filter((call) => names(place, call)).length !== 1)).toEqual([])
    expect(new Set(places).size).toBe(places.length)
  })

  it("would miss a call that nobody listed", () => {
    const planted = (text: string, path = "src/runtime/planted.ts") =>
      callsIn(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
    const statements = [
      'writeSync(2, "x")',
      'tryWrite(2, "x")',
      "world.edge.deliver(encoded, noise)",
      "reallyExit.call(process, 1)",
      "exit(1)",
      "process.exit(1)",
      "process.reallyExit(1)",
      "process.abort()",
      'process.stdout.write("x")',
      'process.stderr.end("x")',
      'console.error("x")',
      "process.exitCode = 1",
      'createWriteStream("", { fd: 1 })',
      'HttpServerResponse.text("x")',
      'socket.write("x")',
      'childSocket.end("x")'
    ]
    const calls = planted(`export const shout = () => { ${statements.join("; ")} }`)
    expect(calls.map((call) => [call.within, call.text])).toEqual(statements.map((text) => ["shout", text]))
    expect(calls.filter((call) => places.some((place) => names(place, call)))).toEqual([])
    expect(planted('createWriteStream(file, { flags: "wx", mode: 0o600 })')).toEqual([])
    expect(planted("createWriteStream(file, options)")).toHaveLength(1)
    expect(planted('const run = () => spawn("x", [], { stdio: "inherit" })').map(({ text }) => text)).toEqual(
      ['stdio: "inherit"']
    )
    const said = 'const warn = () => { process.stderr.write("x"); writeSync(file, "x") }'
    expect(planted(said, "src/log/planted.ts").map(({ text }) => text)).toEqual(['process.stderr.write("x")'])
    const client = "static int shout(int to) {\n  write(1, text, 4);\n  write(to, text, 4);\n  _exit(3);\n}\n"
    expect(clientCallsIn(client)).toEqual(["shout, write", "shout, _exit"])
  })

  it("says for each place what, with which intent, on which channel, for whom, and what became of the gap", () => {
    expect(heading).toEqual([
      "place",
      "what it does",
      "intent",
      "channel",
      "who really reads it",
      "gap, and what was done"
    ])
    expect(list.filter((cells) => cells.length !== heading.length || cells.includes(""))).toEqual([])
    const intents =
      /^(none|all five|((DIAGNOSTIC|MODEL_CONTEXT|USER_HINT|BLOCKING_FEEDBACK|EXIT_SIGNAL( \d)?)(, )?)+)$/
    expect(list.map(([, , intent = ""]) => intent).filter((intent) => !intents.test(intent))).toEqual([])
  })

  it("has the launcher's two ends", () => {
    const text = launcher({ node: "/node", state: "/state" })
    const said = text.split("\n").filter((line) => /printf|\bcat\b|\bexit \d/.test(line))
    // The switch in two lines; a count that is written to a file; the loud end in two lines, four documents for humans and
    // their exit; the usual one, in two lines.
    expect(said).toHaveLength(12)
    expect(places.filter((place) => place.startsWith("`bin/entry`"))).toHaveLength(2)
    expect(text).not.toMatch(/\bread\b|<&0/)
  })

  it("has a row for each of the client's functions that says something to the agent, or ends the process, and a function for each row", () => {
    const ofClient = places.filter((place) => place.startsWith("`bin/hook`, the client"))
    const listed = ofClient.flatMap((place) => {
      const [, within = "", ...calls] = parts(place)
      return calls.map((call) => `${within}, ${call}`)
    })
    expect(clientCalls().length).toBeGreaterThan(8)
    // Returning is how `main` ends in silence, which no pattern tells from any other.
    expect(listed.toSorted()).toEqual([...clientCalls(), "main, return"].toSorted())
  })

  it("has what packages in a bundle could print by themselves", async () => {
    const { outputFiles } = await build({
      absWorkingDir: project,
      entryPoints: ["src/programs/entry/main.ts"],
      bundle: true,
      write: false,
      platform: "node",
      format: "cjs",
      treeShaking: true,
      legalComments: "none"
    })
    let from = ""
    const found = (outputFiles[0]?.text ?? "").split("\n").flatMap((line) => {
      from =
        /^\/\/ (?:\S+\/)?node_modules\/(?:\.\w+\/)?((?:@[^/]+\/)?[^/]+)/.exec(line)?.[1] ??
        (/^\/\/ \S+$/.test(line) ? "" : from)
      const [writes] = /\bconsole\.\w+|process\d*\.(stdout|stderr|exit)\b/.exec(line) ?? []
      return writes !== undefined && from !== "" ? [`${from} ${writes}`] : []
    })
    const listed = list.flatMap(([place = ""]) => {
      const [name = "", what = ""] = parts(place)
      return /^(xstate|effect)\b/.test(name) ? [`${name.split("/")[0]} ${what}`] : []
    })
    expect([...new Set(found)].sort()).toEqual(listed.sort())
  })

  it("says which choices there were, what it leaves out, and what lies beside it", () => {
    for (const word of ["Silencing", "a list of known lines", "capture?** Capture.", "Exit 1", "Exit 2"])
      expect(page).toContain(word)
    for (const left of [
      "Another logger",
      "a host answers",
      "launcher reads standard input",
      "subagents inherit"
    ])
      expect(page.split("## What this list leaves out")[1]).toContain(left)
    for (const beside of ["spawn", "host's life cycle", "installation", "tools a model", "environment"])
      expect(page.split("Neighbouring matters")[1]).toContain(beside)
    // Compared is what has its reason: each of the choices in a clause of its own.
    const [, compared = ""] = /or capture\?\*\* Capture\. ([\s\S]*?)\.\n- /.exec(page) ?? []
    const reasons = compared.split(/;\s+/)
    expect(reasons.map((reason) => /^(Silencing|a list|a capture)(?:\s+\S+){3,}/.exec(reason)?.[1])).toEqual([
      "Silencing",
      "a list",
      "a capture"
    ])
    const decision = read("docs/decisions/0003-noise-by-descriptor.md")
    const [, options = ""] = /## Options\n([\s\S]*?)\n## Decision/.exec(decision) ?? []
    const prices = options.split(/^\d\. /m).slice(1)
    expect(prices).toHaveLength(3)
    for (const price of prices) expect(price).toMatch(/\b(?:misses|costs)\s+\w/)
    expect(decision).toMatch(/## Decision\s+The third\./)
  })
})

describe("a change of the list", () => {
  it("is read by a person: a pull request carries the rows, and none merges by itself", () => {
    const template = read(".github/pull_request_template.md")
    expect(template).toContain("docs/reference/emit-points.md")
    expect(template).toMatch(/^- \[ \] A person other than the author has read these rows/m)
    expect(read("CONTRIBUTING.md")).toMatch(/carries the rows in its description and is merged by hand/)
    const automatic = /auto-?merge|merge --auto|enablePullRequestAutoMerge/i
    const machinery = readdirSync(join(project, ".github"), { recursive: true, encoding: "utf8" }).filter(
      (name) => /\.(ya?ml|json)$/.test(name)
    )
    expect(machinery.filter((name) => automatic.test(read(join(".github", name))))).toEqual([])
  })
})

describe("the tree", () => {
  it("has no write, no console and no exit outside of the few files that may", () => {
    const { status, stdout } = spawnSync(process.execPath, [join(project, ".ci/check-streams.mjs")], {
      encoding: "utf8"
    })
    expect({ status, files: Number(/\d+/.exec(stdout)?.[0]) > 100 }).toEqual({ status: 0, files: true })
  })

  it("gives the reason beside each exit with 1 or 2 that it decides on by itself", () => {
    const decided = onTheWay
      .filter((path) => existsSync(join(project, path)) && !path.startsWith("src/agents/"))
      .flatMap((path) => {
        const lines = read(path).split("\n")
        return lines.flatMap((line, at) =>
          /(reallyExit\.call\(process, |\bleave\(|exitCode: )([12]\b|exitCodes\.(failure|blocking))/.test(
            line
          )
            ? [{ at: `${path}:${at + 1}`, near: lines.slice(Math.max(0, at - 14), at + 1).join("\n") }]
            : []
        )
      })
    expect(decided.length).toBeGreaterThan(1)
    expect(decided.filter(({ near }) => !/\/\/ .*(hook|usage)/i.test(near)).map(({ at }) => at)).toEqual([])
  })
})
