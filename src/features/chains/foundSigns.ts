/** What calls mean for chains, as findings of their payloads: the same step for whoever has no payload. Pure. */
import type { Findings, FoundEffect, FoundSign } from "../../../events/findings.ts"
import { type ChainSign, type Effect, type Ending, maxEffects } from "../../../machines/chain.ts"
import { isAgentsTool } from "../../agents/namedTools.ts"
import { type Chain, moved, openedBy } from "./Chain.ts"

/** In place of what stays where it happened. */
export const notShipped = "not shipped"

/**
 * `seen` of a chain that findings opened. No call is behind it, so that none is judged by what it shows: nobody knows here what had failed, and any
 * that went well would seem to prove it.
 */
const movedBySigns = Number.MAX_SAFE_INTEGER

/** What was found moves it, and no payload does. */
export const isMovedBySigns = ({ seen }: Pick<Chain, "seen">): boolean => seen === movedBySigns

/** A chain after a sign, as its store is handed it. */
export interface Signed {
  readonly chain: Chain
  readonly sign: ChainSign
}

/** Codes of compilers, linters and the system; others may be names of a person's own. */
const publicCode = /^(?:[A-Z]{1,8}-?\d{1,6}|E[A-Z]{3,15})$/

const openingOf = ({ context, pattern, problem, revealedBy, signature }: Chain): Partial<FoundSign> => {
  const { code, family } = problem
  return {
    problem: signature,
    pattern,
    family,
    ...(code !== undefined && publicCode.test(code) ? { code } : {}),
    ...(context.tool !== null && isAgentsTool(context.tool) ? { tool: context.tool } : {}),
    ...(revealedBy === null ? {} : { revealedBy })
  }
}

const names = {
  PROBLEM_OBSERVED: "observed",
  EFFECT_OBSERVED: "attempted",
  PROBLEM_GONE: "gone",
  PROBLEM_SUPPRESSED: "suppressed",
  CHAIN_LEFT: "left"
} as const

/** `place`: where an effect stands among the findings' own. Of a long stretch of work as much is sent as a chain keeps. */
const foundSign = ({ chain, sign }: Signed, place: (effect: Effect) => number): FoundSign => {
  const about = { chain: chain.id, sign: names[sign.type] }
  const places = (effects: readonly Effect[]) => effects.slice(-maxEffects).map(place)
  switch (sign.type) {
    case "PROBLEM_OBSERVED": {
      const { at, toolUseId } = sign.sighting
      const isFirst = chain.sightings.length === 1
      const opening = isFirst ? openingOf(chain) : {}
      return { ...about, at, use: toolUseId, effects: places(sign.effects), ...opening }
    }
    case "PROBLEM_GONE":
    case "PROBLEM_SUPPRESSED": {
      const { at, fix, flaky, grade, shown, toolUseId } = sign.ending
      const ending = { at, use: toolUseId, shown, grade, isFlaky: flaky, fix: places(fix) }
      return { ...about, ...ending, effects: places(sign.effects) }
    }
    case "CHAIN_LEFT":
      return { ...about, at: sign.at, why: sign.why }
    case "EFFECT_OBSERVED":
      return { ...about, at: sign.at }
  }
}

/** Each effect once, however many problems it was tried against. */
export const foundSigns = (signed: readonly Signed[]): Pick<Findings, "effects" | "signs"> => {
  const effects: FoundEffect[] = []
  const places = new Map<string, number>()
  const place = ({ at, kind, toolUseId }: Effect): number => {
    const key = JSON.stringify([toolUseId, kind, at])
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, effects.length)
    return effects.push({ use: toolUseId, kind, at }) - 1
  }
  const signs = signed.map((one) => foundSign(one, place))
  return { ...(effects.length === 0 ? {} : { effects }), ...(signs.length === 0 ? {} : { signs }) }
}

const effectsAt = (found: Findings, places: readonly number[] = []): readonly Effect[] =>
  places.flatMap((nth) => {
    const { at, kind, use } = found.effects?.[nth] ?? {}
    return at === undefined || use === undefined || (kind !== "edit" && kind !== "command")
      ? []
      : [{ toolUseId: use, kind, what: notShipped, at }]
  })

const endingOf = (found: Findings, sign: FoundSign, at: number): Omit<Ending, "ms"> | undefined => {
  const { fix, grade, isFlaky: flaky = false, shown, use = "" } = sign
  if (shown !== "proved" && shown !== "cleared") return undefined
  if (grade !== "A" && grade !== "B" && grade !== "C") return undefined
  return { at, by: notShipped, toolUseId: use, shown, grade, fix: effectsAt(found, fix), flaky }
}

/** Undefined where a field that it cannot do without was not shipped. */
const signOf = (found: Findings, one: FoundSign): ChainSign | undefined => {
  const { at, sign, use = "", why = notShipped } = one
  if (at === undefined) return undefined
  const effects = effectsAt(found, one.effects)
  switch (sign) {
    case "observed":
      return { type: "PROBLEM_OBSERVED", sighting: { toolUseId: use, at }, effects }
    case "attempted":
      return { type: "EFFECT_OBSERVED", at }
    case "gone":
    case "suppressed": {
      const ending = endingOf(found, one, at)
      const type = sign === "gone" ? "PROBLEM_GONE" : "PROBLEM_SUPPRESSED"
      return ending && { type, ending, effects }
    }
    case "left":
      return { type: "CHAIN_LEFT", at, why }
    default:
      return undefined
  }
}

export interface SignPlace {
  readonly position: number
  readonly project: string | null
  readonly session: string | null
  readonly agent: string | null
}

const opened = (one: FoundSign, sign: ChainSign, place: SignPlace): Chain | undefined => {
  const {
    chain: id,
    code,
    family = notShipped,
    pattern,
    problem: signature,
    revealedBy = null,
    tool = null
  } = one
  const isOpening = sign.type === "PROBLEM_OBSERVED" && sign.effects.length === 0
  if (!isOpening || id === undefined || signature === undefined || pattern === undefined) return undefined
  const { agent, position, project, session } = place
  return openedBy(
    {
      id,
      project,
      session,
      agent,
      position,
      signature,
      pattern,
      problem: {
        family,
        ...(code === undefined ? {} : { code }),
        message: `${signature} (text not shipped)`
      },
      subject: { type: "tool", name: tool ?? "", asked: "", paths: [] },
      context: { tool, command: null, path: null, cwd: null },
      seen: movedBySigns,
      revealedBy
    },
    sign.sighting
  )
}

/** The chain after one of the findings' signs; undefined where it is none, or of a chain of which the first was not shipped. */
export const signed = (
  chain: Chain | undefined,
  found: Findings,
  one: FoundSign,
  place: SignPlace
): Signed | undefined => {
  const sign = signOf(found, one)
  if (sign === undefined) return undefined
  const next = chain === undefined ? opened(one, sign, place) : moved(chain, sign)
  return next && { chain: next, sign }
}
