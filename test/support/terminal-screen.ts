import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Terminal } from '@xterm/headless';
import { cliEntry } from './cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Makes both standard streams say that they are a terminal of `COLUMNS` columns. */
const asTerminal = `data:text/javascript,
  for (const stream of [process.stdout, process.stderr]) {
    Object.assign(stream, { isTTY: true, columns: Number(process.env.COLUMNS), rows: 24 });
  }`.replaceAll(/\s+/g, '%20');

/** What a person sees of a command: the lines of the screen, those that scrolled away among them. */
export interface Screen {
  readonly code: number | null;
  /** Wrapped lines as one, without blanks at the end. */
  readonly lines: readonly string[];
  /** Whether the cursor is shown and long lines wrap, as before the command. */
  readonly isRestored: boolean;
}

/** Runs the built program with both streams on one terminal of so many columns. */
export async function runOnTerminal(
  args: readonly string[],
  { cwd, columns }: { readonly cwd: string; readonly columns: number },
): Promise<Screen> {
  const file = join(await temporaryFolder(), 'terminal');
  // one description for both streams, as of a terminal: bytes keep their order
  const descriptor = openSync(file, 'a');
  const child = spawn(process.execPath, ['--import', asTerminal, cliEntry, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, TERM: 'xterm', COLUMNS: String(columns) },
    stdio: ['ignore', descriptor, descriptor],
  });
  closeSync(descriptor);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...(await readScreen(readFileSync(file), columns)) };
}

async function readScreen(bytes: Uint8Array, columns: number): Promise<Omit<Screen, 'code'>> {
  const terminal = new Terminal({
    cols: columns,
    rows: 24,
    scrollback: 10_000,
    convertEol: true,
    allowProposedApi: true,
  });
  await new Promise<void>((done) => terminal.write(bytes, done));
  const buffer = terminal.buffer.active;
  const lines: string[] = [];
  for (let row = 0; row < buffer.length; row += 1) {
    const line = buffer.getLine(row);
    const text = line?.translateToString(false) ?? '';
    if (line?.isWrapped) lines.push((lines.pop() ?? '') + text);
    else lines.push(text);
  }
  while (lines.at(-1)?.trim() === '') lines.pop();
  // the terminal's modes do not say whether the cursor is shown
  const isCursorHidden = /.*\u001b\[\?25(.)/su.exec(Buffer.from(bytes).toString())?.[1] === 'l';
  return {
    lines: lines.map((line) => line.trimEnd()),
    isRestored: terminal.modes.wraparoundMode && !isCursorHidden,
  };
}
