/**
 * Within this process, keeps a file from being copied while it is open: closing the copy's own handle
 * would drop DuckDB's lock on the file, since POSIX locks belong to the process.
 */
interface Gate {
  readers: number;
  isCopying: boolean;
  readonly waiting: (() => void)[];
}

const gates = new Map<string, Gate>();

function gateOf(path: string): Gate {
  const gate = gates.get(path) ?? { readers: 0, isCopying: false, waiting: [] };
  gates.set(path, gate);
  return gate;
}

async function nextChange(gate: Gate): Promise<void> {
  await new Promise<void>((resolve) => gate.waiting.push(resolve));
}

function announceChange(gate: Gate): void {
  for (const wake of gate.waiting.splice(0)) wake();
}

/** Waits until the file is not being copied, and keeps it so. @returns what ends the reading; call it once */
export async function enterAsReader(path: string): Promise<() => void> {
  const gate = gateOf(path);
  while (gate.isCopying) await nextChange(gate);
  gate.readers += 1;
  return () => {
    gate.readers -= 1;
    announceChange(gate);
  };
}

/** Waits until nobody in this process has the file open, then works on it alone. */
export async function workAlone<T>(path: string, work: () => Promise<T>): Promise<T> {
  const gate = gateOf(path);
  while (gate.isCopying || gate.readers > 0) await nextChange(gate);
  gate.isCopying = true;
  try {
    return await work();
  } finally {
    gate.isCopying = false;
    announceChange(gate);
  }
}
