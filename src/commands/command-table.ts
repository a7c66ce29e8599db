import type { Register } from './context.ts';

/** By name, in the order of the help: reads a command, or of a group the commands that `args` name. */
export type CommandTable = Readonly<Record<string, (args: readonly string[]) => Promise<Register>>>;

/**
 * Reads the commands that a command line names, and all where it names none. Only these are read: libraries
 * take their time, and memory for as long as a command lasts.
 */
export function readCommands(table: CommandTable, args: readonly string[]): Promise<Register[]> {
  const named = Object.keys(table).filter((name) => args.includes(name));
  const names = named.length > 0 ? named : Object.keys(table);
  return Promise.all(names.flatMap((name) => table[name]?.(args) ?? []));
}
