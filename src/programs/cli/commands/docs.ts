/** `hooktape docs delivery`: what becomes of each intent, asked of the adapters themselves. */
import * as Effect from "effect/Effect"
import { deliveryPage } from "../../../agents/deliveryTable.ts"
import { Screen } from "../Screen.ts"
import { defineAction, defineGroup } from "../syntax/Command.ts"

const delivery = Effect.flatMap(Screen, ({ out }) => out(deliveryPage()))

export const command = defineGroup({
  group: "Reference",
  summary: "Reference made from the code.",
  heading: "delivery",
  subcommands: {
    delivery: defineAction({
      summary: "Which intent goes where, for every agent and event.",
      examples: ["hooktape docs delivery"],
      guards: "keeps",
      run: () => delivery
    })
  }
})
