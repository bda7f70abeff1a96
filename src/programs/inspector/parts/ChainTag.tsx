/** How a chain stands, as a word and a sign. */
import type { ChainRow } from "../../../features/inspector/contract/chains.ts"
import { Mark, type Sign } from "./icons.tsx"
import type { Look } from "./outcomes.tsx"

type State = ChainRow["state"]

const looks: Readonly<Record<State, { readonly look: Look; readonly sign: Sign; readonly word: string }>> = {
  open: { look: "late", sign: "late", word: "open" },
  attempted: { look: "late", sign: "late", word: "tried, still open" },
  cleared: { look: "unknown", sign: "unknown", word: "not seen any more" },
  resolved: { look: "ok", sign: "ok", word: "resolved" },
  suppressed: { look: "late", sign: "warn", word: "switched off" },
  abandoned: { look: "unknown", sign: "unknown", word: "left" }
}

export const ChainTag = ({ state }: { readonly state: State }) => {
  const { look, sign, word } = looks[state]
  return (
    <span class={`tag ${look}`}>
      <Mark sign={sign} />
      {word}
    </span>
  )
}
