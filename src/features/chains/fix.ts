/** What a resolved chain tells whoever meets the problem again, in few words. Pure. */
import type { Effect } from "../../../machines/chain.ts"
import { oneLine, pathIn } from "../../state/terminalText.ts"
import type { Chain } from "./Chain.ts"

const longestLine = 240
/** All that is told, in characters. */
const longestFix = 300
const longestWhat = 80

/** The problem in one line: where it is, what it is. */
export const errorLine = ({ problem }: Pick<Chain, "problem">): string => {
  const { code, file, message, test } = problem
  const isSaid = code === undefined || message.includes(code)
  const head = [file, test, isSaid ? undefined : code]
    .filter((part) => part !== undefined && part !== "")
    .join(" ")
  return oneLine(head === "" ? message : `${head}: ${message}`, longestLine)
}

export const effectText = ({ kind, what }: Effect, project: string | null, longest = longestWhat): string =>
  kind === "edit"
    ? `edited \`${oneLine(pathIn(project, what), longest)}\``
    : `ran \`${oneLine(what, longest)}\``

const distinctTexts = (
  effects: readonly Effect[],
  project: string | null,
  longest: number
): readonly string[] => [...new Set(effects.map((effect) => effectText(effect, project, longest)))]

/** What was tried and did not help, the last first; what helped in the end is left out. */
const vainTexts = (chain: Chain, longest: number): readonly string[] => {
  const helped = new Set(distinctTexts(chain.ending?.fix ?? [], chain.project, longest))
  return chain.attempts
    .filter((one) => !one.helped)
    .toReversed()
    .flatMap(({ effects }) => distinctTexts(effects, chain.project, longest))
    .filter((text) => !helped.has(text))
}

const written = (chain: Chain, longest: number, maxSteps: number, maxVain: number): string => {
  const { ending, id, opened, project } = chain
  const steps = distinctTexts(ending?.fix ?? [], project, longest)
    .slice(0, maxSteps)
    .join(", ")
  const vain = vainTexts(chain, longest).slice(0, maxVain).join(", ")
  const day = new Date(opened).toISOString().slice(0, 10)
  return [
    `Fixed before (${day}): ${steps}; then \`${oneLine(ending?.by ?? "", longest)}\` passed.`,
    ...(vain === "" ? [] : [`Did not help: ${vain}.`]),
    `(hooktape chains show ${id})`
  ].join(" ")
}

/** At most 300 characters: of what does not fit, the least important goes first. */
export const fixText = (chain: Chain): string => {
  const shapes = [
    [longestWhat, 3, 2],
    [60, 3, 1],
    [48, 2, 1],
    [32, 2, 1],
    [24, 1, 1]
  ] as const
  const texts = shapes.map(([longest, steps, vain]) => written(chain, longest, steps, vain))
  const fitting = texts.find((text) => text.length <= longestFix)
  return fitting ?? (texts.at(-1) as string).slice(0, longestFix)
}
