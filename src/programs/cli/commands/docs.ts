/** `hooktape docs delivery`: what becomes of each intent, asked of the adapters themselves. */
import * as Effect from "effect/Effect"
import { deliveryPage } from "../../../agents/deliveryTable.ts"
import { Screen } from "../Screen.ts"

export const delivery = Effect.flatMap(Screen, ({ out }) => out(deliveryPage()))
