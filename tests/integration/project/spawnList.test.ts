/** The check of what starts programs is a guard: here it is seen to find each way, to hold the list both ways, and to look. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const script = fileURLToPath(new URL("../../../.ci/check-spawns.mjs", import.meta.url))
const page = "docs/reference/spawns.md"

const check = (sources: Readonly<Record<string, string>>, floor = 1) => {
  const root = mkdtempSync(join(tmpdir(), "planted-"))
  try {
    for (const [path, text] of Object.entries(sources)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const asked = [script, root, String(floor)]
    const { status, stderr, stdout } = spawnSync(process.execPath, asked, { encoding: "utf8" })
    return { status, stdout, found: stderr.trim().split("\n") }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Each in a file of its own, with what the check must call it. */
const ways: ReadonlyArray<readonly [source: string, kind: string]> = [
  [`import { spawn } from "node:child_process"; spawn("x")`, "spawn"],
  [`import { exec as go } from "child_process"; go("x")`, "exec"],
  [`import * as child from "node:child_process"; child.fork("x")`, "fork"],
  [`import child from "node:child_process"; child.execFileSync("x")`, "execFileSync"],
  [`import * as child from "node:child_process"; hand(child)`, "a whole module"],
  [`import { spawn } from "node:child_process"; hand(spawn)`, "spawn"],
  [`const { spawnSync } = process.getBuiltinModule("node:child_process"); spawnSync("x")`, "spawnSync"],
  [`process.getBuiltinModule("node:child_process").execSync("x")`, "execSync"],
  [`const { exec } = await import("node:child_process"); exec("x")`, "exec"],
  [`require("child_process").exec("x")`, "exec"],
  [
    `const name = "child"; process.getBuiltinModule(name + "_process")`,
    "a module whose name is not written out"
  ],
  [`import { Worker } from "node:worker_threads"; new Worker("x")`, "Worker"],
  [`import cluster from "node:cluster"; cluster.fork()`, "fork"],
  [`process.execve("/bin/sh")`, "process.execve"],
  [`process.dlopen({}, "x")`, "process.dlopen"],
  [`import { runCommand } from "../services/runCommand.ts"; runCommand("x")`, "runCommand"],
  [`import { git } from "../trust/git.ts"; git("x")`, "git"],
  [`services.run("x")`, "services.run"],
  [`const { call, run } = services; run("x")`, "services.run"],
  ["export const text = `#!/bin/sh\\nexec $" + "{node}`", "shell"],
  [`export const line = "exec '/bin/x'"`, "shell"],
  ['export const text = `import { spawn } from "node:child_process"`', "shell"]
]

const inC: ReadonlyArray<readonly [source: string, kind: string]> = [
  ["void f(void) { fork(); }", "fork"],
  ["void f(void) { execv(a, b); }", "execv"],
  ["void f(void) { posix_spawn (a); }", "posix_spawn"],
  ["void f(void) { system(a); }", "system"],
  ["void f(void) { popen(a, b); }", "popen"]
]

it("what starts something and is not listed is found, in whichever way it is written", () => {
  const planted = [...ways.map((way) => [...way, "ts"] as const), ...inC.map((way) => [...way, "c"] as const)]
  const files = planted.map(([source, , ending], at) => [`src/planted${at}.${ending}`, source] as const)
  const { found, status } = check(Object.fromEntries(files))
  expect(status).toBe(1)
  const told = found.map((line) => line.replace(/:\d+:/, ":"))
  const wanted = planted.map(([, kind], at) => `${files[at]?.[0]}: ${kind} is not in ${page}`)
  expect(told).toEqual(expect.arrayContaining(wanted))
})

it("comments, types and names of something else start nothing", () => {
  const quiet = [
    `import type { ChildProcess } from "node:child_process"`,
    `import { type SpawnOptions, spawn } from "node:child_process"`,
    "// spawn, exec, fork",
    `export const text = "spawn"`,
    "export interface Way { readonly spawn: () => void }",
    "pattern.exec(text); scope.fork(one); other.run()",
    `spawn("only this one", { windowsHide: true })`
  ].join("\n")
  const c = '/* fork() */ // system()\nconst char *text = "popen(x)"; int perform_fork_of(int system_of);'
  const { found } = check({ "src/quiet.ts": quiet, "src/quiet.c": c })
  expect(found).toEqual([`src/quiet.ts:7: spawn is not in ${page}`])
})

it("a row needs a reason, the right number, and something that it stands for", () => {
  const sources = {
    "src/a.ts": `import { spawn } from "node:child_process"\nspawn("x", { windowsHide: true })\nspawn("y", { windowsHide: true })`
  }
  const listed = (rows: string) => check({ ...sources, [page]: `${rows}\n` })
  expect(listed("| `src/a.ts` | `spawn` ×2 | x and y | they are ours |").status).toBe(0)
  expect(listed("| `src/a.ts` | `spawn` ×2 | x and y |  |").found).toEqual([
    `src/a.ts:2: spawn has no reason in ${page}`
  ])
  expect(listed("| `src/a.ts` | `spawn` | x | it is ours |").found).toEqual([
    `src/a.ts:3: spawn stands here ×2, in ${page} ×1`
  ])
  expect(listed("| `src/a.ts` | `spawn` ×2 | x | ours |\n| `src/b.ts` | `spawn` | y | ours |").found).toEqual(
    [`${page}: nothing is there of: src/b.ts spawn`]
  )
})

it("a process without windowsHide is found, however it is started and whatever else is said of it", () => {
  const shown = [
    `import { spawn } from "node:child_process"; spawn("x")`,
    `import { spawn } from "node:child_process"; spawn("x", [], { stdio: "ignore" })`,
    `import { spawnSync } from "node:child_process"; spawnSync("x", { windowsHide: false })`,
    `import { spawn } from "node:child_process"; spawn("x", [], options)`,
    `import { spawn } from "node:child_process"; hand(spawn, { windowsHide: true })`,
    `import * as child from "node:child_process"; child.execFile("x", { timeout: 1 })`,
    `process.getBuiltinModule("node:child_process").execSync("x")`
  ]
  const hidden = [
    `import { spawn } from "node:child_process"; spawn("x", [], { stdio: "ignore", windowsHide: true })`,
    `import * as child from "node:child_process"; child.fork("x", [], { windowsHide: true })`,
    `process.getBuiltinModule("node:child_process").execSync("x", { windowsHide: true })`,
    `import { Worker } from "node:worker_threads"; new Worker("x")`
  ]
  const { found } = check(
    Object.fromEntries([
      ...shown.map((source, at) => [`src/shown${at}.ts`, source] as const),
      ...hidden.map((source, at) => [`src/hidden${at}.ts`, source] as const)
    ])
  )
  const told = found.filter((line) => line.endsWith(" is without windowsHide: true"))
  expect(told.map((line) => line.slice(0, line.indexOf(":")))).toEqual(
    shown.map((_, at) => `src/shown${at}.ts`)
  )
})

it("fails when it looked at nothing, or at less than there is", () => {
  expect(check({ "docs/README.md": "# nothing" }).found.at(-1)).toMatch(/^check-spawns: looked at 0 files/)
  const sources = {
    "src/a.ts": `import { spawn } from "node:child_process"; spawn("x", { windowsHide: true })`
  }
  const row = "| `src/a.ts` | `spawn` | x | ours |\n"
  expect(check({ ...sources, [page]: row })).toMatchObject({ status: 0 })
  expect(check({ ...sources, [page]: row }, 2)).toMatchObject({ status: 1 })
  expect(check({ "src/a.ts": "export {}" })).toMatchObject({ status: 1 })
})

it("holds for this package", () => {
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
})
