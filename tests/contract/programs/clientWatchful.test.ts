/** The whole of the client's tests once more, on one that stops at any misuse of memory and any undefined behaviour. */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { aloneSuite } from "../../support/client/alone.ts"
import { routedSuite } from "../../support/client/routed.ts"
import { stage, watchfulClient } from "../../support/client/stage.ts"
import { clientSuite } from "../../support/client/suite.ts"

const client = watchfulClient()

clientSuite("a watchful client", () => client)
aloneSuite("a watchful client, alone", () => client)
routedSuite("a watchful client", () => client)

it("would notice", () => {
  const source = join(stage(client).folder, "wrong.c")
  writeFileSync(
    source,
    "int main(int count, char **words) { char few[4] = {0}; return few[count + 3] + !words; }\n"
  )
  const program = source.replace(/\.c$/, "")
  spawnSync("cc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", source, "-o", program])
  const { status, stderr } = spawnSync(program, { encoding: "utf8" })
  expect(status).not.toBe(0)
  expect(stderr).toMatch(/out of bounds|stack-buffer-overflow/)
})
