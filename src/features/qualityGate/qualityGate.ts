/** Lets a checkpoint pass that is good enough, and hands its quality on; says of any other what is wrong with it. */
import type { QualityPart } from "../../../events/eventData.ts"
import { blockingFeedback } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"

export const leastQuality = 60

/** What takes most away, worst first. Pure. */
export const faults = (components: readonly QualityPart[]): readonly string[] =>
  components
    .flatMap(({ name, reason, score, weight }) =>
      score === undefined || score >= 100 ? [] : [{ name, reason, lost: (100 - score) * weight }]
    )
    .sort((a, b) => b.lost - a.lost)
    .slice(0, 3)
    .map(({ name, reason }) => `${name}: ${reason}`)

export const qualityGate = defineHook({
  name: "quality-gate",
  on: "checkpoint.before",
  priority: 50,
  settings: { least: leastQuality },
  run: ({ components, quality, settings }) => {
    const wanted = settings["least"]
    const least = typeof wanted === "number" && wanted >= 0 && wanted <= 100 ? wanted : leastQuality
    if (quality >= least) return { metadata: { validated: true, quality } }
    const why = faults(components)
    return blockingFeedback(
      `quality ${quality} is under ${least}${why.length === 0 ? "" : ` (${why.join("; ")})`}`
    )
  }
})
