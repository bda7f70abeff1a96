/** The data of shipped facts as schemas, made of the same list that says what may leave a machine. */
import * as Schema from "effect/Schema"
import { type Shape, shapes } from "./shape.ts"

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)

/** Any field may be missing: a text that was too long for a name is not sent. */
const schemaOf = (shape: Shape): Schema.Schema<unknown, unknown> => {
  if (shape === "value") return Scalar as Schema.Schema<unknown, unknown>
  if (shape === "numbers")
    return Schema.Record({ key: Schema.String, value: Schema.Number }) as Schema.Schema<unknown, unknown>
  const one = Schema.Struct(
    Object.fromEntries(
      Object.entries(shape).map(([name, inner]) => [
        name,
        Schema.optionalWith(schemaOf(inner), { exact: true })
      ])
    )
  )
  // The list says of a field what each one in it looks like, and not whether there are several.
  return Schema.Union(Schema.Array(one), one) as Schema.Schema<unknown, unknown>
}

const readers = new Map(
  Object.entries(shapes).map(([type, shape]) => [type, Schema.decodeUnknownEither(schemaOf(shape))])
)

/** Undefined for a type that this version does not know: a newer installation may send more. */
export const shippedSchema = (type: string) => readers.get(type)
