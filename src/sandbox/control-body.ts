import { z } from 'zod';

/** The body of a control path: it has these fields and no other, and is told so in the API's words. */
export function controlBody<Shape extends z.core.$ZodShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `Unknown field, expected ${names}`
        : `Invalid object, expected one with ${names}`,
  });
}
