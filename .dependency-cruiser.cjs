/**
 * Which way imports may point: events <- machines <- src, and inside src the shells import the core.
 * What runs on every hook stays on XState and effect/Micro: docs/decisions/0002-micro-on-the-hot-path.md.
 * `.ci/check-imports.mjs` runs these rules.
 */

const typeOnly = ["type-only"]

/** Every folder of src/ stands in one of these: of another nobody would have said what it may import. */
const core = ["adapters", "engine", "hooks", "jobs", "log", "trust"]
const shells = ["build", "cli", "entry", "host", "install"]
const others = [
  "chains",
  "checkpoints",
  "client",
  "defaults",
  "dispatch",
  "forget",
  "learning",
  "memory",
  "migrations",
  "monitor",
  "notes",
  "replay",
  "search",
  "services"
]

/** The parts of Effect that bring no fiber runtime with them. */
const smallEffect =
  "node_modules/effect/.+/" +
  "(Micro|Array|Brand|Context|Duration|Either|Equal|Function|Hash|Option|Order|Predicate|Record|String|Types)\\."

/**
 * They lie beside the hot path without being on it, since nothing there may import them: the schemas for readers of
 * payloads, and what only bundles of handlers that use Effect themselves bring along.
 */
const offThePath = ["^src/adapters/shapeSchema\\.ts$", "^src/entry/runEffect\\.ts$"]

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
  {
    name: "core-never-imports-shells",
    comment: `${shells.join(", ")} use the core; the core must not know of them.`,
    severity: "error",
    from: { path: `^src/(${core.join("|")})/` },
    to: { path: `^src/(${shells.join("|")})/` }
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
    to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"], dependencyTypesNot: typeOnly }
  }
]

/** Read after types are erased, along static imports only: what Node evaluates when a hook fires. */
const hotPath = [
  {
    name: "hot-path-stays-small",
    comment: "Everything here is paid for in the user's waiting time on every hook, however far away it is.",
    severity: "error",
    from: {
      path: "^(machines/|src/(engine|entry|adapters)/|src/hooks/defineHook\\.ts$|src/jobs/enqueue\\.ts$)",
      pathNot: offThePath
    },
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
    extensions: [".ts", ".js", ".mjs", ".cjs", ".json"]
  }
}

module.exports = {
  folders: [...core, ...shells, ...others],
  forbidden: directions,
  hotPath,
  options: { ...options, tsPreCompilationDeps: true }
}
