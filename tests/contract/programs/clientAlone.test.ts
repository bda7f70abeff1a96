/** The native client without a host, as a real process. */
import { aloneSuite } from "../../support/client/alone.ts"
import { builtClient } from "../../support/client/stage.ts"

aloneSuite("the client", builtClient)
