import { didYouMean } from '../core/nearest.ts';

/** Values by the name of their placeholder, `{client}` for example. */
export type PlaceholderValues = Readonly<Record<string, string>>;

/** Fills in placeholders. Any that has no value stays as it is. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Lists what looks like a placeholder and is none, each once, with a hint if one of the names is near. */
export function unknownPlaceholders(
  text: string,
  names: readonly string[],
): { readonly written: string; readonly hint: string }[] {
  const known = names.map((name) => `{${name}}`);
  const words = new Set(text.match(/\{[ \t]*\p{L}[\p{L}\p{N}_.-]*[ \t]*\}/gu));
  return [...words]
    .filter((written) => !known.includes(written))
    .map((written) => ({ written, hint: didYouMean(written.replaceAll(/\s/g, ''), known) }));
}
