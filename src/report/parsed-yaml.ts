/**
 * What the YAML of the built-in reports says, by the SHA-256 of its text. Empty here: the build fills it in
 * (rolldown.config.js), since reading YAML takes longer than all else in a list of reports.
 */
export const parsedYaml: ReadonlyMap<string, unknown> = new Map();
