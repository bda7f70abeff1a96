/** What the client says aloud is what the adapters say. */
import { expect, it } from "vitest"
import { loudHeader } from "../../support/client/loudHeader.ts"

it("src/programs/client/loud.h is made from the adapters", async () => {
  await expect(loudHeader()).toMatchFileSnapshot("../../../src/programs/client/loud.h")
})
