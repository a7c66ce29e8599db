import { z } from 'zod';

/** What is wrong with the fields of a request: a field's name to sentences. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * By field as the API names them: `approvals.0.userId`. A field that is not known is under its own
 * name, what concerns the whole under `body`.
 */
export function fieldErrorsOf(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  // a map, as a field can be called `constructor`
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
