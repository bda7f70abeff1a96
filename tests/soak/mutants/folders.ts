/**
 * What decides, folder by folder, with the tests that are its own and need no build. What only reads and writes files, sockets and
 * processes is not among it: contract and integration tests hold that.
 */

export interface Folder {
  /** Files, and folders with all that is in them. */
  readonly sources: readonly string[]
  /** Beginnings of paths of sources that are left out. */
  readonly except?: readonly string[]
  /** Beginnings of paths of test files, first those that notice most: what is noticed is not tried any more. */
  readonly tests: readonly string[]
}

const within = (folder: string, names: string): readonly string[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${folder}/${name}.ts`)

export const folders: Readonly<Record<string, Folder>> = {
  machines: { sources: ["machines"], tests: ["tests/unit/machines", "tests/laws/machines"] },
  events: {
    sources: ["events"],
    tests: [
      "tests/unit/events/nested",
      "tests/pages/eventsPage",
      "tests/unit/events",
      "tests/laws/events",
      "tests/unit/agents/exitCodes",
      "tests/unit/agents/lifecycle",
      "tests/unit/machines",
      "tests/laws/machines"
    ]
  },
  runtime: {
    sources: [
      ...within(
        "src/runtime",
        `answer bounded clip consentedCommand context drive enqueue errors externalHook failureHint handling interpret
        judge notices outcome payload plainWords provisional quick registry runHandler sessionRegistry share start`
      ),
      ...within("src/runtime", "actors/registry leftCalls/arrivingPayload services/answers"),
      ...within(
        "src/hooks",
        "commandParts dataWords delivery duration external glob limitProblems limits retry when"
      )
    ],
    tests: [
      "tests/unit/hooks",
      ...[
        "registry",
        "interpret",
        "runHandler",
        "actorRegistry",
        "answer",
        "arrivingPayload",
        "drive",
        "errors",
        "failureHint",
        "noteJob",
        "notices",
        "onError",
        "outcome",
        "payload",
        "plainWords",
        "provisional",
        "quick",
        "retry",
        "runInvocation",
        "services",
        "share",
        "started"
      ].map((name) => `tests/unit/runtime/${name}`),
      "tests/unit/history/deliveries",
      "tests/unit/history/limits",
      "tests/unit/jobs/enqueue",
      "tests/unit/trust/sessionGuards",
      "tests/laws/runtime/actors",
      "tests/laws/runtime/drive",
      "tests/laws/events/intents",
      // These start programs.
      "tests/unit/runtime/externalHook",
      "tests/unit/runtime/consentedCommand"
    ]
  },
  log: {
    sources: [
      ...within(
        "src/log",
        `admit ageMarks gaps lastConfirmed lookAgain lost lostPositions matches payloadDigest retain retainImported
        rowSum sealedFrame seals steadyClock validity verify`
      ),
      ...within("src/log/spool", "ingest pendingFacts"),
      ...within("src/log/sqlite", "sqliteAnchor sqliteMissing sqliteRedact sqliteSeal sqliteSelect")
    ],
    tests: [
      "tests/unit/events/upcast",
      "tests/contract/log/eventLogMemory",
      "tests/unit/log",
      "tests/contract/log",
      "tests/laws/log",
      "tests/integration/log/logDamage"
    ]
  },
  agents: {
    sources: ["src/agents"],
    // Pages; where settings lie; and what prompts say of the work, which is measured by how often it is right.
    except: [
      "src/agents/deliveryTable",
      "src/agents/eventTable",
      "src/agents/feedback",
      "src/agents/settingsFiles"
    ],
    tests: [
      "tests/pages/adaptersDelivery",
      "tests/pages/eventsPage",
      "tests/unit/agents/tool",
      "tests/unit/agents/eventFields",
      "tests/unit/agents/familiar",
      "tests/unit/agents",
      // The fixtures go through a build.
      "tests/contract/agents/adapters",
      "tests/contract/agents/cline",
      "tests/contract/agents/copilot",
      "tests/contract/agents/modelRequests",
      "tests/contract/agents/qwenCode",
      "tests/laws/agents",
      "tests/unit/features/transcripts",
      "tests/unit/tools/replayFormerly"
    ]
  },
  redact: {
    sources: ["src/redact"],
    tests: ["tests/unit/redact/redact", "tests/unit/redact", "tests/laws/redact"]
  }
}
