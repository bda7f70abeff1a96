/** A shape as an effect Schema: for tests, documentation and the command line. Nothing that runs per hook imports this. */
import * as Schema from "effect/Schema"
import { type Fields, fieldOf, isObject, type Shape } from "./shape.ts"

type AnySchema = Schema.Schema<unknown>

const JsonSchema: AnySchema = Schema.Union(
  Schema.Null,
  Schema.Boolean,
  Schema.JsonNumber,
  Schema.String,
  Schema.Array(Schema.Unknown),
  Schema.Record({ key: Schema.String, value: Schema.Unknown })
).annotations({
  arbitrary: () => (fc) => fc.jsonValue() as never
}) as unknown as AnySchema

const ObjectSchema: AnySchema = Schema.Unknown.pipe(Schema.filter((value) => isObject(value))).annotations({
  arbitrary: () => (fc) => fc.dictionary(fc.string(), fc.jsonValue() as never) as never
}) as unknown as AnySchema

const struct = (fields: Fields, closed: boolean): AnySchema => {
  const entries = Object.entries(fields).map(([key, shape]) => {
    const { name, optional } = fieldOf(key)
    const schema = schemaOf(shape)
    return [name, optional ? Schema.optionalWith(schema, { exact: true }) : schema] as const
  })
  const made = Schema.Struct(Object.fromEntries(entries) as unknown as { readonly [name: string]: AnySchema })
  return made.annotations({
    parseOptions: { onExcessProperty: closed ? "error" : "ignore" }
  }) as unknown as AnySchema
}

/** Agrees with `mismatches`: a law over arbitraries made from it. */
export const schemaOf = (shape: Shape): AnySchema => {
  if (shape === "string") return Schema.String as unknown as AnySchema
  if (shape === "number") return Schema.JsonNumber as unknown as AnySchema
  if (shape === "boolean") return Schema.Boolean as unknown as AnySchema
  if (shape === "json") return JsonSchema
  if (shape === "object") return ObjectSchema
  if ("oneOf" in shape) return Schema.Literal(...shape.oneOf) as unknown as AnySchema
  if ("word" in shape) return Schema.String as unknown as AnySchema
  if ("nullOr" in shape) return Schema.NullOr(schemaOf(shape.nullOr)) as unknown as AnySchema
  if ("listOf" in shape) return Schema.Array(schemaOf(shape.listOf)) as unknown as AnySchema
  return "fields" in shape ? struct(shape.fields, false) : struct(shape.only, true)
}
