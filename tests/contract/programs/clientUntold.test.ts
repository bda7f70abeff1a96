/** The native client, where its agent does not take what the host answered. */
import { builtClient, watchfulClient } from "../../support/client/stage.ts"
import { untoldSuite } from "../../support/client/untold.ts"

untoldSuite("the client", builtClient)
const watchful = watchfulClient()
untoldSuite("the client that watches its memory", () => watchful)
