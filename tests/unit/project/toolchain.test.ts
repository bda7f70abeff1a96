/** What the package and its lockfile may look like, and that no check can be left out unnoticed. */
import { readFileSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const pathOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const read = (path: string) => readFileSync(pathOf(path), "utf8")

interface Package {
  readonly version?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface Lockfile {
  readonly packages: Readonly<Record<string, Package>>
}

/** Effect 3 and 4 do not mix, and where a package was fetched from is nobody else's business. */
const lockfileFaults = (text: string): readonly string[] => {
  const { packages } = JSON.parse(text) as Lockfile
  const effects = Object.entries(packages).filter(([path]) => /(^|\/)node_modules\/effect$/.test(path))
  return [
    ...(effects.length === 1 ? [] : [`${effects.length} copies of effect`]),
    ...effects.flatMap(([path, { version }]) =>
      version?.startsWith("3.") ? [] : [`${path} is effect@${version}`]
    ),
    ...Object.entries(packages).flatMap(([path, { resolved }]) =>
      resolved ? [`${path} has an address`] : []
    ),
    ...(/https?:\/\/[^"]*registry/.test(text) ? ["a registry host"] : [])
  ]
}

/** npm looks for a package beside its dependent, then one level further out, and so on. */
const candidates = (dependent: string, name: string): readonly string[] => {
  const levels = dependent.split(/\/?node_modules\//).filter((part) => part !== "")
  const prefixes = levels.map((_, at) =>
    levels
      .slice(0, at + 1)
      .map((part) => `node_modules/${part}/`)
      .join("")
  )
  return ["", ...prefixes].map((prefix) => `${prefix}node_modules/${name}`)
}

/** Binaries for other platforms than the one that wrote the lockfile: without them `npm ci` refuses to work at all. */
const forgottenPlatforms = (text: string): readonly string[] => {
  const { packages } = JSON.parse(text) as Lockfile
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !candidates(path, name).some((at) => at in packages))
  )
}

const locked = (packages: Lockfile["packages"]) => JSON.stringify({ packages })

describe("package-lock.json", () => {
  it("holds one effect, of version 3, and no address", () => {
    expect(lockfileFaults(read("package-lock.json"))).toEqual([])
  })

  it.each([
    [
      locked({
        "node_modules/effect": { version: "3.22.4" },
        "node_modules/a/node_modules/effect": { version: "3.1.0" }
      }),
      ["2 copies of effect"]
    ],
    [locked({ "node_modules/effect": { version: "4.0.0" } }), ["node_modules/effect is effect@4.0.0"]],
    [
      locked({
        "node_modules/effect": { version: "3.22.4", resolved: "https://registry.example/effect.tgz" }
      }),
      ["node_modules/effect has an address", "a registry host"]
    ],
    [locked({}), ["0 copies of effect"]]
  ])("would be refused as %s", (text, faults) => {
    expect(lockfileFaults(text)).toEqual(faults)
  })

  it("holds the binaries of every platform", () => {
    expect(forgottenPlatforms(read("package-lock.json"))).toEqual([])
    const optionalDependencies = { "@b/linux": "1.0.0", "@b/darwin": "1.0.0" }
    const text = locked({ "node_modules/b": { optionalDependencies }, "node_modules/@b/linux": {} })
    expect(forgottenPlatforms(text)).toEqual(["@b/darwin"])
  })

  it("an installation is a few packages, and has no script of its own that npm runs", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      readonly packages: Readonly<
        Record<
          string,
          {
            dev?: true
            devOptional?: true
            peer?: true
            os?: string[]
            cpu?: string[]
            hasInstallScript?: true
          }
        >
      >
    }
    const installed = Object.entries(packages).filter(
      ([path, { cpu = [], dev, devOptional, os = [], peer }]) =>
        path !== "" &&
        dev !== true &&
        devOptional !== true &&
        peer !== true &&
        (os.length === 0 || os.includes("linux")) &&
        (cpu.length === 0 || cpu.includes("x64"))
    )
    const names = installed.map(([path]) => path.replace(/^.*node_modules\//, ""))
    expect(names).toContain("esbuild")
    expect(names.length).toBeLessThanOrEqual(4)
    const scripted = installed.flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? [path] : []))
    // It only looks whether its program is there, and works where scripts are refused.
    expect(scripted).toEqual(["node_modules/esbuild"])
    const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Record<string, string> }
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([])
  })

  it("agrees with package.json", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json"))
    const root = JSON.parse(read("package-lock.json")).packages[""]
    expect(root).toMatchObject({ dependencies, devDependencies })
  })
})

describe("the checks", () => {
  it("runs every check as a package script and in continuous integration", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> }
    const checks = Object.keys(scripts).filter((name) => name.startsWith("check:"))
    expect(checks.toSorted()).toEqual(
      [
        "check:imports",
        "check:lint",
        "check:paths",
        "check:spawns",
        "check:streams",
        "check:types",
        "check:unused"
      ].toSorted()
    )
    for (const name of checks) expect(scripts["check"]).toContain(`npm run ${name}`)
    const ci = read(".ci/run")
    expect(ci).toMatch(/^\s+step .* check\b/m)
    expect(ci).toContain("npm run check:types >")
    expect(ci).toContain("(?!types)/.test(name)")
    expect(ci).toMatch(/^ {4}npm run "\$part" \|\| status=1$/m)
    expect(ci).toMatch(/^\s+step .* test_agents\b/m)
    expect(ci).toMatch(/^ {2}local run=\(npx vitest --run --config vitest\.agents\.config\.ts\)$/m)
    expect(ci).toMatch(/^ {2}tests agents "\$\{run\[@\]\}" \|\| once_more agents /m)
    expect(ci).toMatch(/^\s+step .* test_postgres\b/m)
    expect(ci).toMatch(/^ {2}tests postgres "\$\{run\[@\]\}" \|\| once_more postgres /m)
    expect(ci).toMatch(/^\s+step .* test_node\b/m)
    expect(ci).toMatch(/^ {2}tests node npm test -- \|\| once_more node /m)
    expect(statSync(pathOf(".ci/run")).mode & 0o111).toBe(0o111)
  })

  it("reports Effect diagnostics as part of the types", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> }
    expect(scripts["check:types"]).toBe("node .ci/check-types.mjs")
    expect(read(".ci/check-types.mjs")).toContain(
      '[patch, "patch", "--module", "tsc", "--log-level", "warn"]'
    )
    expect(read("tsconfig.json")).toMatch(/"floatingEffect": "error"/)
  })
})
