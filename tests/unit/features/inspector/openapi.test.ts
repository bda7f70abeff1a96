/** The description of the inspector's API is that of its endpoints. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { endpoints } from "../../../../src/features/inspector/contract/endpoints.ts"
import { StreamEvents } from "../../../../src/features/inspector/contract/stream.ts"
import { openapi, openapiText } from "../../../support/inspector/openapi.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

it("is written down in the reference", async () => {
  expect(JSON.parse(openapiText())).toEqual(openapi())
  await expect(openapiText()).toMatchFileSnapshot(join(root, "docs/reference/inspector-api.json"))
})

it("has every endpoint once, with nothing that cannot be followed", () => {
  const described = openapi()
  const { paths } = described as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const ids = operations.map((one) => (one as { readonly operationId: string }).operationId)
  expect(ids.toSorted()).toEqual([...Object.keys(endpoints), "stream"].toSorted())
  const text = JSON.stringify(described)
  for (const event of Object.keys(StreamEvents)) expect(text).toContain(`"event":{"const":"${event}"}`)
  for (const [, ref = ""] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
    const found = ref
      .slice(2)
      .split("/")
      .reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], described)
    expect(found, ref).toBeDefined()
  }
})
