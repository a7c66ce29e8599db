import { z } from 'zod';
import { jobsSchema } from './jobs-schema.ts';

/** The JSON Schema (draft 7, which editors know best) of jobs.yaml. */
export function jobsJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(jobsSchema, { io: 'input', target: 'draft-7' });
}

/** Its text, as it stands in schema/jobs.schema.json. */
export function jobsJsonSchemaText(): string {
  return `${JSON.stringify(jobsJsonSchema(), null, 2)}\n`;
}
