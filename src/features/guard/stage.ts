/** What one command of a script is by itself, before anything of it is known. */
import { type Script, type Stage, unknown, type Word } from "./script.ts"

/** What its words have run before it: `$(…)`, `<(…)` and what stands for an unset variable. */
export const outputsOf = (words: readonly Word[]): readonly Script[] =>
  words.flatMap((word) =>
    word.flatMap((part) => {
      if (part.kind === "output") return [part.script]
      return part.kind === "variable" && part.fallback !== undefined ? outputsOf([part.fallback]) : []
    })
  )

/** A function whose body starts it twice in one pipeline, as in `f() { f | f & }`. */
export const isForkBomb = ({ defines, inner }: Stage): boolean =>
  defines !== undefined &&
  (inner ?? []).some(
    (pipeline) =>
      pipeline.filter(
        ({ words }) =>
          words[0]?.map((part) => (part.kind === "text" ? part.text : unknown)).join("") === defines
      ).length > 1
  )
