import { spawnSync } from "node:child_process"
import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { plainWords } from "../../../src/runtime/plainWords.ts"

/** As a shell takes it apart. */
const byShell = (command: string): readonly string[] => {
  const show = `set -- ${command}\nfor word; do printf '%s\\0' "$word"; done`
  const { stdout } = spawnSync("/bin/sh", ["-c", show], { encoding: "utf8", cwd: "/" })
  return stdout.split("\0").slice(0, -1)
}

describe("a command line", () => {
  it.each([
    ["python3 guard.py", ["python3", "guard.py"]],
    ["sh '/a b/guard.sh' --strict=1", ["sh", "/a b/guard.sh", "--strict=1"]],
    ['node "/a/hook.js"  ', ["node", "/a/hook.js"]],
    ["/usr/bin/env python3 -u x.py", ["/usr/bin/env", "python3", "-u", "x.py"]],
    ["'./run me' a''b\"c d\"", ["./run me", "abc d"]],
    ["jq -e ''", ["jq", "-e", ""]]
  ])("that needs no shell is its words: %s", (command, words) => {
    expect(plainWords(command)).toEqual(words)
    expect(byShell(command)).toEqual(words)
  })

  it.each([
    "",
    "   ",
    "echo hello",
    "exit 2",
    "test -f /x",
    ". /x",
    "cd /x",
    "A=1 node x.js",
    "./a=b/c",
    "node x.js | cat",
    "node x.js; exit 2",
    "node x.js &",
    "node x.js > /dev/null",
    'node "$HOME/x.js"',
    "node $HOME/x.js",
    "node `pwd`/x.js",
    "node ~/x.js",
    "node *.js",
    "node a?.js",
    "node {a,b}.js",
    "node [a].js",
    "node a\\ b.js",
    "node x.js # why",
    "node 'x.js",
    "node x.js\nnode y.js",
    "! node x.js",
    "(node x.js)",
    `node ${"a".repeat(5000)}`
  ])("is a shell's otherwise: %j", (command) => {
    expect(plainWords(command)).toBeUndefined()
  })

  it("is never taken apart in another way than a shell does", () => {
    const piece = fc.constantFrom(
      "a",
      "b c",
      "'",
      '"',
      " ",
      "=",
      "/",
      "-",
      ".",
      "$",
      "\\",
      "%",
      "+",
      "~",
      "*",
      "\t"
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const command = `/bin/true ${pieces.join("")}`
        const words = plainWords(command)
        if (words !== undefined) expect(byShell(command)).toEqual(words)
      }),
      { numRuns: 150, seed: 7 }
    )
  })

  it("is looked at in time, whatever stands in it", () => {
    for (const text of ["'a".repeat(2000), '"a'.repeat(2000), "a ".repeat(2040), "a".repeat(4090)])
      expect(plainWords(`node ${text}!`)).toBeUndefined()
  })
})
