/** The native client, as a real process between an agent and a host that a test plays. */

import { builtClient } from "../../support/client/stage.ts"
import { clientSuite } from "../../support/client/suite.ts"

clientSuite("the client", builtClient)
