import { z } from 'zod';

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
