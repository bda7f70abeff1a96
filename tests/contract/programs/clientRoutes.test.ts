/** The native client and the routes that a host wrote for it, as a real process. */
import { routedSuite } from "../../support/client/routed.ts"
import { builtClient } from "../../support/client/stage.ts"

routedSuite("the client", builtClient)
