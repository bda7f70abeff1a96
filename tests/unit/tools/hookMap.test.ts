/** What a stack of a bundle's is told by: the map of the author's own lines, and nothing of anybody else's. */
import { SourceMap as Reader } from "node:module"
import { transformSync } from "esbuild"
import { describe, expect, it } from "vitest"
import { hookMap, type SourceMap } from "../../../src/tools/build/hookMap.ts"

const bundled = (sources: Readonly<Record<string, string>>) => {
  const pieces = Object.entries(sources).map(([sourcefile, text]) => {
    const { code, map } = transformSync(text, { sourcefile, sourcemap: true, minify: true, loader: "ts" })
    return { code, map: JSON.parse(map) as SourceMap }
  })
  // One line for each, as a bundle has lines of many files.
  const maps = pieces.map(({ map }) => map)
  return { maps, code: pieces.map(({ code }) => code).join("") }
}

const hook = `export const value: number = 1
export function deep(): never {
  throw new Error("boom")
}
`

const entryAt = (map: SourceMap, line: number, column: number) =>
  new Reader({ ...map, file: "", sourceRoot: "", sourcesContent: [] } as never).findEntry(line, column) as {
    readonly originalSource?: string
    readonly originalLine?: number
  }

describe("the map beside a bundle", () => {
  const { code, maps } = bundled({ "/p/hook.ts": hook })
  const [map] = maps as [SourceMap]

  it("names the line where the author has it", () => {
    const kept = hookMap(map, (source) => source === "/p/hook.ts")
    const column = code.indexOf("throw")
    expect(kept && entryAt(kept, 0, column)).toMatchObject({ originalSource: "/p/hook.ts", originalLine: 2 })
  })

  it("holds every place that the whole map has for it", () => {
    const kept = hookMap(map, () => true)
    for (let column = 0; column < code.length; column++)
      expect(kept && entryAt(kept, 0, column)).toEqual(entryAt(map, 0, column))
  })

  it("knows nothing of files that are nobody's but ours", () => {
    expect(hookMap(map, () => false)).toBeUndefined()
    const both: SourceMap = {
      version: 3,
      sources: ["/ours.js", "/p/hook.ts"],
      names: ["a", "b"],
      // Columns 0, 10, 20: ours, the author's, ours.
      mappings: "AAAAA,UCAAC,UDAAD"
    }
    const kept = hookMap(both, (source) => source === "/p/hook.ts")
    expect(kept).toMatchObject({ sources: ["/p/hook.ts"], names: ["b"] })
    expect(kept && entryAt(kept, 0, 5).originalSource).toBeUndefined()
    expect(kept && entryAt(kept, 0, 15).originalSource).toBe("/p/hook.ts")
    expect(kept && entryAt(kept, 0, 25).originalSource).toBeUndefined()
  })
})
