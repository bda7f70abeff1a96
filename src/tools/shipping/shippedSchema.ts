/** The data of shipped facts as schemas, made of the same list that says what may leave a machine. */
import * as Schema from "effect/Schema"
import { latest, longest, type Shape, shapes } from "./shape.ts"

const Scalar = Schema.Union(Schema.String.pipe(Schema.maxLength(longest)), Schema.Finite, Schema.Boolean)

/** One that is none would be in every answer about all machines. */
const Time = Schema.Number.pipe(Schema.between(-latest, latest))

/** A record whose keys are a refinement takes others for none of its own, and lets them by. */
const Numbers = Schema.Record({ key: Schema.String, value: Schema.Finite }).pipe(
  Schema.filter(
    (numbers) =>
      Object.keys(numbers).every((name) => name.length <= longest) || `a name is longer than ${longest}`
  )
)

/** Any field may be missing: a text that was too long for a name is not sent, and nowhere taken. */
const schemaOf = (shape: Shape): Schema.Schema<unknown, unknown> => {
  if (shape === "value") return Scalar as Schema.Schema<unknown, unknown>
  if (shape === "time") return Time as Schema.Schema<unknown, unknown>
  if (shape === "values") return Schema.Array(Scalar) as Schema.Schema<unknown, unknown>
  if (shape === "numbers") return Numbers as Schema.Schema<unknown, unknown>
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
