import type { z } from 'zod';
import { errorBodySchema } from '../../../src/api/schemas/error.ts';
import {
  inviteCreatedEventSchema,
  postDeletedEventSchema,
} from '../../../src/api/schemas/events.ts';
import { operations, type Operation } from '../../../src/api/schemas/operations.ts';

const bodies = Object.values<Operation>(operations).flatMap(({ body }) => body ?? []);
const answers = [
  ...Object.values<Operation>(operations).map(({ answer }) => answer),
  errorBodySchema,
  postDeletedEventSchema,
  inviteCreatedEventSchema,
];

/** The schemas of zod with a name that are part of a request, by name. */
export const requestSchemas = namedSchemasIn(bodies);
/** Those that are part of an answer or an event. */
export const answerSchemas = namedSchemasIn(answers);

function namedSchemasIn(roots: readonly z.core.$ZodType[]): Map<string, z.ZodType> {
  const named = new Map<string, z.ZodType>();
  const visit = (schema: z.ZodType) => {
    const name = schema.meta()?.id;
    if (name !== undefined) named.set(name, schema);
    partsOf(schema).forEach((part) => visit(part as z.ZodType));
  };
  roots.forEach((root) => visit(root as z.ZodType));
  return named;
}

interface Parts {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly options?: readonly z.core.$ZodType[];
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
}

/** What a schema is made of, and the schema that it is another description of. */
function partsOf({ _zod: { def, parent } }: z.core.$ZodType): z.core.$ZodType[] {
  const { shape = {}, options = [], element, innerType, valueType } = def as Parts;
  const parts = [...Object.values(shape), ...options, element, innerType, valueType, parent];
  return parts.filter((part) => part !== undefined);
}
