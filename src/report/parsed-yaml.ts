/**
 * The parsed YAML of the built-in reports by the SHA-256 of its text. The map is empty here; the build fills
 * it in (rolldown.config.js), because parsing YAML takes longer than everything else in a list of reports.
 */
export const parsedYaml: ReadonlyMap<string, unknown> = new Map();
