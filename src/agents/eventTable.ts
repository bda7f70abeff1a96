/** The page that says which event is called what by which agent: asked from the adapters. */
import { agents, canonicalEvents } from "../../events/agentEvents.ts"
import { lifecycle, type Moment } from "../../events/lifecycle.ts"
import { about } from "./about.ts"
import { adapters } from "./adapters.ts"

const named = agents.filter((agent) => agent !== "raw")

const nativesOf = (agent: (typeof named)[number], event: string): string => {
  const names = Object.entries(adapters[agent].events).filter(([, native]) => native.event === event)
  return names.length === 0 ? "–" : names.map(([name]) => name).join(", ")
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`

/** What an agent has and nobody else: subscribed to under the agent's own name. */
const passed = (): readonly string[] => {
  const events = new Set(
    named.flatMap((agent) => Object.values(adapters[agent].events).map(({ event }) => event))
  )
  return [...events].filter((event) => event.startsWith("agent.")).sort()
}

const untried = agents.filter((agent) => about[agent].isDocumentedOnly).map((agent) => about[agent].title)

const introduction = `# Agents and events

A hook subscribes to names of the first column; the adapters translate. Made from the adapters; do not edit. What stands under
${untried.join(", ").replace(/, (?=[^,]*$)/, " and ")} is from the vendor's documentation and was not exercised with the real agent.

| event | ${named.map((agent) => about[agent].title).join(" | ")} |
| --- |${named.map(() => " --- |").join("")}`

/** The same moments under the names that other hook managers have for them. */
const theTwelve = (): string => {
  const moments: readonly (readonly [string, Moment])[] = Object.entries(lifecycle)
  const rows = moments.map(
    ([name, { changes = "–", event, kind, stops = "–" }]) =>
      `| ${name} | \`${event}\` | ${kind} | ${changes} | ${stops} |`
  )
  return `## Twelve moments

What other hook managers call them, what they are called here, and what a hook may do there. Any hook may judge what it sees.

| elsewhere | here | | changes it by | stops it by |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`
}

const derived = (): string => `
## Derived events

They follow from what an agent reports and are dispatched in the same invocation, after the agent's own event.

| event | follows from | fields |
| --- | --- | --- |
| \`file.edited\` | a finished edit, write or patch | \`path\`, \`language\`, \`change\`: create, update, delete, rename |
| \`command.ran\` | a finished shell command | \`command\`, \`exitCode\` where the agent tells, \`output\` |
| \`error.observed\` | a failed tool, a command that ended with another code than 0, an error in a tool's result | \`signature\`, \`message\`, \`tool\` |
| \`response.given\` | the last message of a turn, an answer of the model | \`text\` |
| \`feedback.given\` | a prompt that praises or corrects | \`polarity\`: positive, negative; \`about\`: what is named, else the sentence |
| \`session.ending\` | the end of a session | \`reason\` |

## Events of hooktape itself

Each is an invocation of its own, on the log like any other under the agent \`raw\`. What a hook wants is said to hooktape and to whoever
ran the command, not to a model.

| event | when | fields | a hook may |
| --- | --- | --- | --- |
| \`checkpoint.before\` | \`hooktape checkpoint\`, and by itself at the end of a turn, a session and before a compaction when something changed | \`trigger\`, \`quality\` 0–100, \`components\`: \`name\`, \`weight\`, \`score\` where there is evidence, \`reason\` | block: the checkpoint is refused, for this reason |
| \`checkpoint.after\` | a checkpoint was recorded | the same, \`checkpoint\`, \`validated\` where a hook looked at the quality and let it pass | |
| \`search.before\` | \`hooktape search\`, and whenever a hook looks for past material, where a hook wants to know | \`query\` | \`{ metadata: { query } }\`: look for this; block: look for nothing |
| \`reflection.before\` | \`hooktape note\`, and every note that a hook stores | \`text\`, \`kind\`, \`tags\`, \`importance\` where it was given, \`source\`: \`operator\` or \`hook <name>\` | \`{ metadata: { text } }\`: store this; block: store nothing |

${theTwelve()}
## Events of one agent

Whatever has no name above is passed through as \`agent.<Name>\`, also when hooktape has never heard of it. Known so far:
`

export const eventsPage = (): string =>
  `${[
    introduction,
    ...canonicalEvents.map((event) => row([`\`${event}\``, ...named.map((agent) => nativesOf(agent, event))]))
  ].join("\n")}\n${derived()}${passed()
    .map((event) => `\`${event}\``)
    .join(", ")}.\n`
