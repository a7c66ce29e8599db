import { z } from 'zod';

/** A JSON Schema as OpenAPI 3.1 takes it: draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface JsonSchemas<Name extends string> {
  /** Of the schemas that were asked for, by the names that they were asked under. */
  readonly asked: Readonly<Record<Name, JsonSchema>>;
  /** Of those with an `id` in their meta, wherever they stand; every other place refers to them. */
  readonly named: Readonly<Record<string, JsonSchema>>;
}

/** JSON Schemas of what is sent, as OpenAPI components with references among them. */
export function makeJsonSchemas<Name extends string>(
  schemas: Readonly<Record<Name, z.ZodType>>,
): JsonSchemas<Name> {
  const { properties, $defs } = z.toJSONSchema(z.object(schemas), {
    io: 'input',
    override: ({ jsonSchema }) => leaveOutChecks(jsonSchema),
  });
  const text = JSON.stringify({ asked: properties, named: $defs ?? {} });
  return JSON.parse(text, (_key, value: unknown) => toComponent(value)) as JsonSchemas<Name>;
}

/**
 * Leaves out what only says how zod checks: the bounds of integers that JavaScript holds exactly, the
 * regular expression behind a `format` (hundreds of characters for a date), and that unknown fields and
 * any key of a map are fine, which holds without saying so.
 */
function leaveOutChecks(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format !== undefined) delete schema.pattern;
  if (JSON.stringify(schema.additionalProperties) === '{}') delete schema.additionalProperties;
  delete schema.propertyNames;
}

function toComponent(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^#\/\$defs\//, '#/components/schemas/');
  return isTypeOrNull(value) ? foldNull(value) : value;
}

interface TypeOrNull extends JsonSchema {
  anyOf: [JsonSchema, JsonSchema];
}

function isTypeOrNull(value: unknown): value is TypeOrNull {
  const [first, second, ...more] = (value as JsonSchema | null)?.anyOf ?? [];
  const isPlain = typeof first?.type === 'string' && first.type !== 'object';
  return isPlain && second?.type === 'null' && more.length === 0;
}

/** `type: [integer, "null"]`, which more tools read well than a choice of two schemas. */
function foldNull({ anyOf: [plain], ...rest }: TypeOrNull): JsonSchema {
  return { ...rest, ...plain, type: [plain.type, 'null'] } as JsonSchema;
}
