/** The languages that hooks are told, by the names that files have: both are public. */
import { describe, expect, it } from "vitest"
import { languageOf } from "../../../src/agents/language.ts"

const extensions: readonly (readonly [language: string, extensions: string])[] = [
  ["typescript", "ts tsx mts cts"],
  ["javascript", "js jsx mjs cjs"],
  ["python", "py pyi"],
  ["rust", "rs"],
  ["go", "go"],
  ["java", "java"],
  ["kotlin", "kt kts"],
  ["scala", "scala"],
  ["c", "c h"],
  ["cpp", "cc cpp cxx hpp"],
  ["csharp", "cs"],
  ["fsharp", "fs"],
  ["swift", "swift"],
  ["objective-c", "m"],
  ["ruby", "rb"],
  ["php", "php"],
  ["perl", "pl"],
  ["lua", "lua"],
  ["r", "r"],
  ["julia", "jl"],
  ["elixir", "ex exs"],
  ["erlang", "erl"],
  ["haskell", "hs"],
  ["ocaml", "ml"],
  ["clojure", "clj"],
  ["dart", "dart"],
  ["zig", "zig"],
  ["nim", "nim"],
  ["shell", "sh bash zsh fish"],
  ["powershell", "ps1"],
  ["sql", "sql"],
  ["html", "html htm"],
  ["css", "css"],
  ["scss", "scss"],
  ["less", "less"],
  ["vue", "vue"],
  ["svelte", "svelte"],
  ["astro", "astro"],
  ["json", "json jsonc"],
  ["yaml", "yaml yml"],
  ["toml", "toml"],
  ["xml", "xml"],
  ["ini", "ini"],
  ["markdown", "md mdx"],
  ["restructuredtext", "rst"],
  ["text", "txt"],
  ["latex", "tex"],
  ["notebook", "ipynb"],
  ["terraform", "tf"],
  ["protobuf", "proto"],
  ["graphql", "graphql gql"],
  ["nix", "nix"]
]

describe("the language of a file", () => {
  it.each(extensions)("%s is told by its ending: %s", (language, endings) => {
    for (const ending of endings.split(" ")) expect(languageOf(`/src/a.b.${ending}`)).toBe(language)
  })

  it.each([
    ["Dockerfile", "dockerfile"],
    ["build/Makefile", "makefile"],
    ["CMakeLists.txt", "cmake"],
    ["Gemfile", "ruby"],
    ["Rakefile", "ruby"],
    ["C:\\src\\MAIN.TS", "typescript"],
    ["C:\\a.py/x.ts", "typescript"],
    ["a.py\\x.ts", "typescript"]
  ])("%s is told by its name, in any case and behind either slash: %s", (path, language) => {
    expect(languageOf(path)).toBe(language)
  })

  it.each(["", "ts", "/a.ts/file", "file.", "a.unheard", "constructor", "a.constructor", "a.toString"])(
    "is unknown where neither tells: %j",
    (path) => expect(languageOf(path)).toBe("unknown")
  )
})
