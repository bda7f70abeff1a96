/** All that `hooktape` does, for whoever runs it: loaded by `main.ts` for what that does not answer by itself. */
import { beneathAgent } from "../../trust/BeneathAgent.ts"
import { start } from "./start.ts"

start(beneathAgent)
