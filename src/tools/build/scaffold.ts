/** What `hooktape init` puts into a project: a first hook, settings, and the types an editor needs. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"

export const example = `import { blockingFeedback, defineHook } from "hooktape"

/** Runs before every shell command of the agent. Change it, or write your own beside it. */
export default defineHook({
  name: "no-force-push",
  on: "tool.before",
  when: { tool: "shell", command: /\\bgit(\\s+--?([cC]\\s+)?[^\\s-]\\S*)*\\s+push\\b[^;&|\\n]*\\s(--force(?!-)|-\\w*f|\\+\\S)/ },
  // Should the guard itself fail, the command does not run.
  onFailure: "block",
  run: ({ tool }) => blockingFeedback(\`Use --force-with-lease instead of: \${tool.command}\`)
})
`

// Without comments, which editors mark as errors in a file of this name.
const config = `{
  "$schema": "./types/config.schema.json",
  "deadlineMs": 5000,
  "hooks": {}
}
`

const tsconfig = `{
  // Lets editors and "tsc -p .hooktape" check the hooks. hooktape itself does not read it.
  // For hooks that use Node: npm i -D @types/node, then "types": ["node"] below.
  "compilerOptions": {
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["es2023", "dom"],
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true,
    "resolveJsonModule": true,
    "allowImportingTsExtensions": true,
    "isolatedModules": true,
    "paths": { "hooktape": ["./types/src/index.d.ts"] }
  },
  "include": ["hooks"]
}
`

export interface Scaffolded {
  /** Relative to the project. */
  readonly file: string
  readonly text: string
  /** `own` files are the author's after they were made; `ours` follow the version of hooktape. */
  readonly keeper: "own" | "ours"
}

const imports = /(?:from\s+|import\s*\(\s*|import\s+)["']([^"']+)["']/g

/** A declaration file and all it imports, by path. A bare import is an error: a project need not have that package. */
export const declarationClosure = (entry: string): ReadonlyMap<string, string> => {
  const closure = new Map<string, string>()
  const visit = (file: string): void => {
    if (closure.has(file)) return
    const text = readFileSync(file, "utf8")
    closure.set(file, text)
    for (const [, specifier = ""] of text.matchAll(imports)) {
      if (!specifier.startsWith("."))
        throw new Error(`${file} imports "${specifier}", which a project need not have`)
      visit(join(dirname(file), specifier.replace(/\.[jt]s$/, ".d.ts")))
    }
  }
  visit(entry)
  return closure
}

export interface TypesFrom {
  /** Holds `src/index.d.ts`. */
  readonly declarations: string
  readonly version: string
}

const typeFiles = ({ declarations, version }: TypesFrom, schema: object): readonly Scaffolded[] => {
  const note = `// Types of hooktape ${version}, for editors. "hooktape init" brings them up to date.\n`
  const closure = [...declarationClosure(join(declarations, "src", "index.d.ts"))].map(
    ([file, text]): Scaffolded => ({
      file: `.hooktape/types/${relative(declarations, file).split(sep).join("/")}`,
      text: note + text,
      keeper: "ours"
    })
  )
  const json = `${JSON.stringify(schema, null, 2)}\n`
  return [...closure, { file: ".hooktape/types/config.schema.json", text: json, keeper: "ours" }]
}

/** Everything a project gets. The example is for those who have no hook yet. */
export const scaffold = (types: TypesFrom, schema: object, project: string): readonly Scaffolded[] => {
  const first: Scaffolded = { file: ".hooktape/hooks/no-force-push.ts", text: example, keeper: "own" }
  return [
    ...(existsSync(join(project, ".hooktape", "hooks")) ? [] : [first]),
    { file: ".hooktape/config.json", text: config, keeper: "own" },
    { file: ".hooktape/tsconfig.json", text: tsconfig, keeper: "own" },
    ...typeFiles(types, schema)
  ]
}
