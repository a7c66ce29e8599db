import { z } from 'zod';

/** What is wrong with the fields of a request: a field's name to sentences. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** By field as the API names them: `approvals.0.userId`; what concerns all of it stands under `body`. */
export function fieldErrorsOf(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues) (errors[path.join('.') || 'body'] ??= []).push(message);
  return errors;
}

/** The body of every error response (specification, "Error"). */
export const errorBodySchema = z
  .looseObject({
    code: z.string().meta({ description: 'Machine-readable.' }),
    message: z.string(),
    data: z
      .looseObject({ errors: z.record(z.string(), z.array(z.string())).optional() })
      .optional()
      .meta({ description: "On validation failures: a field's name to what is wrong with it." }),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' });
