/** What decides, folder by folder, with the tests that are its own and need no build. */

export interface Folder {
  readonly sources: readonly string[]
  /** Beginnings of paths of test files. */
  readonly tests: readonly string[]
}

export const folders: Readonly<Record<string, Folder>> = {
  machines: { sources: ["machines"], tests: ["tests/unit/machines", "tests/laws/machines"] },
  events: {
    sources: ["events"],
    tests: ["tests/unit/events", "tests/laws/events", "tests/unit/machines", "tests/laws/machines"]
  },
  runtime: {
    sources: [
      "src/runtime/answer.ts",
      "src/runtime/judge.ts",
      "src/runtime/outcome.ts",
      "src/runtime/registry.ts",
      "src/runtime/share.ts",
      "src/runtime/clip.ts",
      "src/hooks/when.ts",
      "src/hooks/glob.ts",
      "src/hooks/duration.ts"
    ],
    tests: ["tests/unit/runtime", "tests/unit/hooks", "tests/laws/runtime/drive"]
  },
  log: {
    sources: [
      "src/log/admit.ts",
      "src/log/ageMarks.ts",
      "src/log/gaps.ts",
      "src/log/lastConfirmed.ts",
      "src/log/matches.ts",
      "src/log/retain.ts",
      "src/log/rowSum.ts",
      "src/log/seals.ts",
      "src/log/steadyClock.ts",
      "src/log/verify.ts"
    ],
    tests: [
      "tests/unit/log",
      "tests/laws/log",
      "tests/contract/log/eventLogMemory",
      "tests/integration/log/logDamage"
    ]
  },
  agents: {
    sources: [
      "src/agents/cannotAsk.ts",
      "src/agents/decode.ts",
      "src/agents/derive.ts",
      "src/agents/encode.ts",
      "src/agents/language.ts",
      "src/agents/reply.ts",
      "src/agents/signature.ts",
      "src/agents/toolCall.ts",
      "src/agents/ways.ts"
    ],
    tests: ["tests/unit/agents", "tests/laws/agents", "tests/contract/agents", "tests/unit/features/feedback"]
  },
  redact: { sources: ["src/redact"], tests: ["tests/unit/redact", "tests/laws/redact"] }
}
