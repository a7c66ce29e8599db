import { z } from 'zod';

/** The problems of a request's fields: a list of sentences for each field name. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * Groups issues by field, named as the API does: `approvals.0.userId`. An unknown field is listed under its own
 * name, and a problem of the whole under `body`.
 */
export function fieldErrorsOf(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  // A map is used because a field can be called `constructor`.
  const errors = new Map<string, string[]>();
  for (const issue of issues) {
    for (const field of fieldsOf(issue)) {
      errors.set(field, [...(errors.get(field) ?? []), issue.message]);
    }
  }
  return Object.fromEntries(errors);
}

function fieldsOf(issue: z.core.$ZodIssue): string[] {
  const paths =
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, key])
      : [issue.path];
  return paths.map((path) => path.join('.') || 'body');
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
