import type { z } from 'zod';
import { shownValue } from '../../core/shown-value.ts';

const maxProblems = 5;

/**
 * What is wrong with a value, in words: each field with what was expected and what was found. Its length
 * is bounded, whatever the value.
 */
export function problemsOf(error: z.ZodError, value: unknown): string {
  const { issues } = error;
  const told = issues.slice(0, maxProblems).map((issue) => problemOf(issue, value));
  if (issues.length > maxProblems) told.push(`and ${issues.length - maxProblems} more`);
  return told.join('; ');
}

function problemOf({ path, message }: z.core.$ZodIssue, value: unknown): string {
  const field = path.join('.');
  const found = path.reduce<unknown>((within, key) => Reflect.get(Object(within), key), value);
  if (found === undefined) return `${field}: missing`;
  return `${field}: expected ${message}, got ${shownValue(found)}`;
}
