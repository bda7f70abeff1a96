/** The text of src/programs/client/loud.h: what the client, in C, knows of the adapters. */

import { agents } from "../../../events/agentEvents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { stopping } from "../../../src/runtime/builds/reach.ts"
import { loudByExit, loudGroups } from "../../../src/runtime/loudReply.ts"

const literal = (text: string): string => JSON.stringify(text)

/** Kept in pieces: a line of C is read by people too. */
const group = ({
  calls,
  document
}: {
  readonly calls: readonly string[]
  readonly document: string
}): string => {
  const [before = "", after = ""] = document.split("%d")
  return `  {${literal(before)}, ${literal(after)},\n${[...calls].map((call) => `   ${literal(`\n${call}`)}`).join("\n")} "\\n"},`
}

const stoppingCalls = agents.flatMap((agent) =>
  Object.entries(adapters[agent].events).flatMap(([native, { event }]) =>
    stopping.includes(event) ? [`${agent} ${native}`] : []
  )
)

export const loudHeader = (): string => `/*
 * At which calls ("agent event") a call that nobody could handle is said to the human, and in which document. Made from the adapters:
 * npx vitest run -u tests/contract/programs/clientLoud.test.ts
 */
static const char *const loud_by_exit[] = {${loudByExit.map(literal).join(", ")}};
static const struct {
  const char *before, *after, *calls;
} loud_by_message[] = {
${loudGroups(adapters).map(group).join("\n")}
};

/* Calls at which a tool can be kept from running. */
static const char *const stopping[] = {
${stoppingCalls.map((call) => `  ${literal(call)}`).join(",\n")}
};
`
