/** The inspector's API as an OpenAPI document, made from the table of its endpoints. */
import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"
import { type Endpoint, endpoints } from "../../../src/features/inspector/contract/endpoints.ts"
import { Refusal } from "../../../src/features/inspector/contract/shared.ts"
import { StreamEvents, StreamQuery } from "../../../src/features/inspector/contract/stream.ts"

type Json = Readonly<Record<string, unknown>>
type AnySchema = Schema.Schema.AnyNoContext

/** Schemas with a name stand once, among the components. */
const makeSchemas = () => {
  const named: Record<string, unknown> = {}
  const moved = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll("#/$defs/", "#/components/schemas/"))
  return {
    named,
    schemaOf: (schema: AnySchema): Json => {
      const {
        $defs,
        $schema: _,
        ...made
      } = JSONSchema.make(schema, { target: "openApi3.1" }) as unknown as Json
      Object.assign(named, moved($defs ?? {}))
      return moved(made) as Json
    }
  }
}

type SchemaOf = ReturnType<typeof makeSchemas>["schemaOf"]

/** What goes behind the question mark is text, whatever it is read as. */
const parametersOf = ({ path, query }: Endpoint, schemaOf: SchemaOf): readonly Json[] => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" }
  }))
  if (query === undefined) return inPath
  const { properties = {}, required = [] } = schemaOf(query) as {
    readonly properties?: Json
    readonly required?: readonly string[]
  }
  const behind = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema
  }))
  return [...inPath, ...behind]
}

const answered = (description: string, schema: Json): Json => ({
  description,
  content: { "application/json": { schema } }
})

const operationOf = (name: string, endpoint: Endpoint, schemaOf: SchemaOf): Json => {
  const { answer, body, summary } = endpoint
  return {
    operationId: name,
    summary,
    parameters: parametersOf(endpoint, schemaOf),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: schemaOf(body) } } } }),
    responses: {
      "200": answered("What was asked for.", schemaOf(answer)),
      default: answered("Why it is not answered.", { $ref: "#/components/schemas/Refusal" })
    }
  }
}

/** Two endpoints may share a path, with one method each. */
const pathsOf = (schemaOf: SchemaOf): Json => {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, endpoint] of Object.entries(endpoints as Readonly<Record<string, Endpoint>>)) {
    const methods = paths[endpoint.path] ?? {}
    paths[endpoint.path] = {
      ...methods,
      [endpoint.method.toLowerCase()]: operationOf(name, endpoint, schemaOf)
    }
  }
  return paths
}

const saysEvent: Readonly<Record<keyof typeof StreamEvents, string>> = {
  hello: "First of all. missed: facts since `after`; where there are more than 1,000 they do not follow.",
  calls: "Calls that began, moved on or ended, each as it stands now.",
  facts: "Facts, in order.",
  actors: "All actors, at most twice a second.",
  status: "When something in it changed, at most once a second.",
  bye: "Whoever serves ends."
}

/** Each event as what a reader makes of its lines. */
const streamOf = (schemaOf: SchemaOf): Json => {
  const events = Object.entries(StreamEvents).map(([name, data]) => ({
    type: "object",
    description: saysEvent[name as keyof typeof StreamEvents],
    required: ["event", "id", "data"],
    properties: {
      event: { const: name },
      id: {
        type: "integer",
        description: "The position up to which the reader knows the log now: its next `after`."
      },
      data: schemaOf(data as AnySchema)
    }
  }))
  const { parameters, responses, ...told } = operationOf(
    "stream",
    {
      method: "GET",
      path: "/stream",
      summary: "What happens now, as server-sent events",
      query: StreamQuery,
      answer: Refusal
    },
    schemaOf
  ) as { readonly parameters: unknown; readonly responses: Json }
  const description =
    "One event after the other, each with the lines event:, id: and data:, whose data is JSON."
  const sent = { description, content: { "text/event-stream": { schema: { oneOf: events } } } }
  return { get: { ...told, parameters, responses: { ...responses, "200": sent } } }
}

export const openapi = (): Json => {
  const { named, schemaOf } = makeSchemas()
  const paths = { ...pathsOf(schemaOf), "/stream": streamOf(schemaOf) }
  const refusal = schemaOf(Refusal)
  return {
    openapi: "3.1.0",
    info: {
      title: "hooktape inspect",
      version: "1",
      description:
        "What the page of `hooktape inspect` asks. Each request needs the token that is in the printed address, the Host of that address, and no foreign Origin. How it is used: `docs/how-to/use-the-inspector.md`."
    },
    servers: [{ url: "http://127.0.0.1:{port}/api/v1", variables: { port: { default: "4321" } } }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { ...named, Refusal: refusal }
    }
  }
}

/** As it is written down: a line for each path, so that a change shows where it is. */
export const openapiText = (): string => {
  const { paths, ...others } = openapi()
  const lines = Object.entries(paths as Json).map(
    ([path, one]) => `${JSON.stringify(path)}:${JSON.stringify(one)}`
  )
  const rest = JSON.stringify(others)
  return `${rest.slice(0, -1)},"paths":{\n${lines.join(",\n")}\n}}\n`
}
