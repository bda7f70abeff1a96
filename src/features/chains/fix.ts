/** What a resolved chain tells whoever meets the error again, in few lines. Pure. */
import { tellingLine } from "../../agents/signature.ts"
import { oneLine, pathIn } from "../../state/terminalText.ts"
import type { Chain } from "./Chain.ts"

const longestLine = 240
const longestWhat = 120
const maxSteps = 5
const maxVain = 3

const span = (ms: number): string => {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

const steps = (chain: Chain, helped: boolean, most: number): readonly string[] =>
  chain.attempts
    .filter((one) => one.helped === helped)
    .slice(-most)
    .map(({ kind, what }) => {
      const done =
        kind === "edit"
          ? `edited \`${oneLine(pathIn(chain.project, what), longestWhat)}`
          : `ran \`${oneLine(what, longestWhat)}`
      return `${done}\``
    })

export const errorLine = ({ message }: Pick<Chain, "message">): string =>
  oneLine(tellingLine(message), longestLine)

export const fixText = (chain: Chain): string => {
  const { context, id, opened, project, resolved } = chain
  const path = context.path === null ? null : pathIn(project, context.path)
  const where = context.command ?? ([context.tool, path].filter(Boolean).join(" ") || "a tool")
  const helped = steps(chain, true, maxSteps)
  const vain = steps(chain, false, maxVain)
  const by = context.path === null ? resolved?.by : resolved?.by.replace(context.path, () => path ?? "")
  const after = `\`${oneLine(by ?? where, longestWhat)}\` went well`
  return [
    "This project has met such an error before, and it was resolved:",
    `- error of \`${oneLine(where, longestWhat)}\`: ${errorLine(chain)}`,
    `- what helped: ${helped.join(", ")}; then ${after}`,
    ...(vain.length === 0 ? [] : [`- what did not help: ${vain.join(", ")}`]),
    `- it took ${span(resolved?.ms ?? 0)}, on ${new Date(opened).toISOString().slice(0, 10)} (hooktape chains show ${id})`
  ].join("\n")
}
