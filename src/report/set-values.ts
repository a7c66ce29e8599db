import { isDay } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import type { ParameterDefinition } from './definition-schema.ts';
import type { ReportDefinition } from './report-catalog.ts';

/** A report's own parameters by name, as its SQL takes them. */
export type SetValues = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The values of `--set key=value` in the types that the report declares, defaults where nothing is set. Keys
 * that the report does not declare are left to the other reports of the command.
 * @throws UsageError for a value that is not of its type
 */
export function resolveSetValues(
  definition: ReportDefinition,
  set: Readonly<Record<string, string>>,
): SetValues {
  return Object.fromEntries(
    Object.entries(definition.parameters).map(([name, parameter]) => {
      const text = set[name];
      return [name, text === undefined ? parameter.default : typedValue(name, parameter, text)];
    }),
  );
}

/** @throws UsageError for a key that none of the reports has */
export function checkSetKeys(
  definitions: readonly ReportDefinition[],
  set: Readonly<Record<string, string>>,
): void {
  const known = new Set(definitions.flatMap((definition) => Object.keys(definition.parameters)));
  const unknown = Object.keys(set).find((key) => !known.has(key));
  if (unknown === undefined) return;
  const names = definitions.map((definition) => definition.name).join(', ');
  const allowed =
    known.size === 0 ? 'there is nothing to set' : `there is ${[...known].sort().join(', ')}`;
  throw new UsageError(`--set ${unknown}: no parameter of ${names}; ${allowed}`);
}

function typedValue(
  name: string,
  parameter: ParameterDefinition,
  text: string,
): string | number | boolean {
  switch (parameter.type) {
    case 'text':
      return text;
    case 'integer':
      return checked(name, text, 'a whole number', Number(text), /^-?\d{1,15}$/.test(text));
    case 'number':
      return checked(name, text, 'a number', Number(text), /^-?\d+(\.\d+)?$/.test(text));
    case 'boolean':
      return checked(name, text, 'true or false', text === 'true', /^(true|false)$/.test(text));
    case 'date':
      return checked(name, text, 'a day as YYYY-MM-DD', text, isDay(text));
  }
}

function checked<Value>(
  name: string,
  text: string,
  wanted: string,
  value: Value,
  isValid: boolean,
): Value {
  if (isValid) return value;
  throw new UsageError(`--set ${name}=${text}: it takes ${wanted}`);
}
