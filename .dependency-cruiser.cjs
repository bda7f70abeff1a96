/**
 * Which way imports may point: events <- machines <- src, and inside src from wing to wing.
 * What runs on every hook stays on XState and effect/Micro: docs/decisions/0002-micro-on-the-hot-path.md.
 * `.ci/check-imports.mjs` runs these rules; docs/explanation/architecture.md says what each wing is for.
 */

/** The folders of src/, in order: each may import those before it, none may import one behind it. Another folder fails. */
const wings = [
  "hooks",
  "redact",
  "state",
  "agents",
  "trust",
  "log",
  "history",
  "runtime",
  "jobs",
  "features",
  "tools",
  "programs"
]

const typeOnly = ["type-only"]

/** The parts of Effect that bring no fiber runtime with them. */
const smallEffect =
  "node_modules/effect/.+/" +
  "(Micro|Array|Brand|Context|Duration|Either|Equal|Function|Hash|Option|Order|Predicate|Record|String|Types)\\."

/**
 * They lie beside the hot path without being on it, since nothing there may import them: the schemas for readers of
 * payloads, and what only bundles of handlers that use Effect themselves bring along.
 */
const offThePath = ["^src/agents/shapeSchema\\.ts$", "^src/programs/entry/runEffect\\.ts$"]

/** What a hook call evaluates, and what it is put together from. */
const onThePath = [
  "^machines/",
  "^src/agents/",
  "^src/hooks/defineHook\\.ts$",
  "^src/history/Past\\.ts$",
  "^src/programs/entry/",
  "^src/runtime/[^/]+\\.ts$",
  "^src/runtime/builds/(compiled|loadBundle|options|refresh|requireFor)\\.ts$",
  "^src/tools/install/(hostScript|launcher)\\.ts$"
]

/** Read with types still in place. */
const directions = [
  {
    name: "events-know-effect-only",
    comment: "events/ says what happened. It knows schemas, not who decides or who acts.",
    severity: "error",
    from: { path: "^events/" },
    to: { pathNot: ["^events/", "node_modules/effect/"] }
  },
  {
    name: "machines-know-events-and-xstate",
    comment: "machines/ decides. Whatever needs a clock, a disk or a stream belongs in src/.",
    severity: "error",
    from: { path: "^machines/" },
    to: { pathNot: ["^events/", "^machines/", "node_modules/(effect|xstate)/"] }
  },
  ...wings.slice(0, -1).map((wing, at) => ({
    name: `${wing}-imports-no-wing-below`,
    comment: `${wing} stands above ${wings.slice(at + 1).join(", ")}, and knows nothing of them.`,
    severity: "error",
    from: { path: `^src/${wing}/` },
    to: { path: `^src/(${wings.slice(at + 1).join("|")})/` }
  })),
  {
    name: "nobody-imports-a-program",
    comment: "What two programs need lies in a wing above them.",
    severity: "error",
    from: { path: "^src/programs/([^/]+)/" },
    to: { path: "^src/programs/", pathNot: "^src/programs/$1/" }
  },
  {
    name: "the-surface-is-for-users",
    comment: "src/index.ts is what hook files import. We import the modules behind it.",
    severity: "error",
    from: { path: "^(events|machines|src)/" },
    to: { path: "^src/index\\.ts$" }
  },
  {
    name: "nothing-shipped-imports-tests",
    comment: "tests/ is not in the package.",
    severity: "error",
    from: { path: "^(events|machines|src)/" },
    to: { path: "^tests/" }
  },
  {
    name: "no-circular",
    comment: "A cycle has no reading order. Types may refer to each other.",
    severity: "error",
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: typeOnly } }
  },
  {
    name: "no-unresolvable",
    comment: "What cannot be found cannot be checked.",
    severity: "error",
    from: {},
    to: { couldNotResolve: true }
  },
  {
    name: "no-undeclared-packages",
    comment:
      "What the shipped code imports stands in package.json, under its own name. The build sees to it that what is not bundled is among the `dependencies`.",
    severity: "error",
    from: { path: "^(events|machines|src)/" },
    // What users may add beside the package counts as undeclared, however else it stands there too.
    to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"], dependencyTypesNot: [...typeOnly, "npm-dev"] }
  }
]

/** Read after types are erased, along static imports only: what Node evaluates when a hook fires. */
const hotPath = [
  {
    name: "hot-path-stays-small",
    comment: "Everything here is paid for in the user's waiting time on every hook, however far away it is.",
    severity: "error",
    from: { path: onThePath, pathNot: offThePath },
    to: {
      reachable: true,
      path: "node_modules/(effect|@effect/[^/]+|better-sqlite3|esbuild)/",
      pathNot: smallEffect
    }
  }
]

const options = {
  doNotFollow: { path: "node_modules" },
  tsConfig: { fileName: "tsconfig.json" },
  enhancedResolveOptions: {
    exportsFields: ["exports"],
    conditionNames: ["import", "node", "default", "types"],
    extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json"]
  }
}

module.exports = {
  wings,
  forbidden: directions,
  hotPath,
  options: { ...options, tsPreCompilationDeps: true }
}
