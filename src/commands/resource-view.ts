import { wrapTerminal } from '../core/terminal-width.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { isRecord } from '../core/json.ts';
import {
  colorsOf,
  fieldLines,
  foreignName,
  indented,
  indentLines,
  localTime,
  nothing,
  type Field,
  type LocalTerminal,
} from './view.ts';

/**
 * Shows what the API answers as a person reads it: its fields under their own names, times by the reader's clocks,
 * people by their names. Nothing in a text can pass for another field, since its lines are indented.
 */
export function resourceLines(resource: unknown, terminal: LocalTerminal): string[] {
  if (Array.isArray(resource))
    return resource.flatMap((each: unknown, index) => [
      ...(index === 0 ? [] : ['']),
      ...resourceLines(each, terminal),
    ]);
  if (!isRecord(resource))
    return wrapTerminal(shortText(resource, terminal) ?? nothing, terminal.width);
  const fields: Field[] = [];
  const parts: string[] = [];
  for (const [name, value] of Object.entries(resource)) {
    const text = shortText(value, terminal);
    const shown = foreignName(name);
    if (text !== null) fields.push({ name: shown, text });
    else {
      const lines = resourceLines(value, indented(terminal, indent));
      parts.push('', colorsOf(terminal).bold(shown), ...indentLines(lines, indent));
    }
  }
  return [...fieldLines(fields, terminal), ...(fields.length === 0 ? parts.slice(1) : parts)];
}

const indent = 2;

/** Returns a value that needs no lines of its own as text; null for one with parts. */
function shortText(value: unknown, terminal: LocalTerminal): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
      ? localTime(value, terminal)
      : foreignText(value);
  if (Array.isArray(value)) {
    const texts = value.map((each: unknown) => shortText(each, terminal));
    if (texts.includes(null)) return null;
    return texts.join(', ') || nothing;
  }
  return isRecord(value) ? nameOf(value) : nothing;
}

/** Returns the name by which people know a person, a label or a profile; null for anything else. */
function nameOf({ firstName, lastName, email, name, url }: Record<string, unknown>): string | null {
  if (typeof firstName === 'string' && typeof lastName === 'string') {
    const whole = foreignName(`${firstName.trim()} ${lastName.trim()}`);
    return typeof email === 'string' ? `${whole} <${foreignName(email)}>` : whole;
  }
  return typeof name === 'string' && url === undefined ? foreignName(name) : null;
}

/**
 * Matches `@[Display Name](userId)`. The name may hold brackets and parentheses, and ends at the first `](…)` whose
 * middle can be an identifier.
 */
const mention = /@\[((?:(?!@\[)[^\n])+?)\]\([^\s()[\]]+\)/gu;

/** Makes a text of several lines harmless, and writes mentions as `@Display Name`. */
function foreignText(text: string): string {
  const shown = text.replace(mention, (whole, name: string) =>
    name.trim() === '' ? whole : `@${name.trim()}`,
  );
  return stripTerminalControls(shown).replaceAll('\t', '  ').trimEnd() || nothing;
}
