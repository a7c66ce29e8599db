import { z } from 'zod';
import { definitionSchema } from './definition-schema.ts';

/** The JSON Schema (draft 7, which editors know best) of report.yaml. */
export function definitionJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(definitionSchema, { io: 'input', target: 'draft-7' });
}

/** Its text, as it stands in schema/report.schema.json. */
export function definitionJsonSchemaText(): string {
  return `${JSON.stringify(definitionJsonSchema(), null, 2)}\n`;
}
