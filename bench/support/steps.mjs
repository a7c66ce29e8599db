import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the steps of a bench one after another in one folder, each in a process of its own, so that its processor time
 * and its peak memory are its own. A bench calls this at its end, and is called again for each step.
 * @param file of the bench
 * @param steps functions by name, given the folder
 * @param onStep is given a step's name and `{value, seconds, cpuSeconds, megabytes}`
 */
export async function runSteps(file, steps, onStep = () => undefined) {
  const place = process.argv.indexOf('--step');
  if (place !== -1) return runStep(steps, ...process.argv.slice(place + 1));
  const folder = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
  try {
    for (const name of Object.keys(steps)) {
      const measured = await measureStep(file, name, folder);
      console.log(stepLine(name, measured));
      await onStep(name, measured, folder);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The numbers of the command line, in their order. */
export function numbersGiven() {
  const end = process.argv.indexOf('--step');
  return process.argv.slice(2, end === -1 ? undefined : end).map(Number);
}

async function runStep(steps, name, folder) {
  const start = performance.now();
  const before = process.cpuUsage();
  const value = await steps[name](folder);
  const { user, system } = process.cpuUsage(before);
  process.send({
    value,
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
  });
  process.disconnect();
}

function measureStep(file, name, folder) {
  const child = fork(file, [...process.argv.slice(2), '--step', name, folder]);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`${name} failed`)));
  });
}

function stepLine(name, { seconds, cpuSeconds, megabytes }) {
  const figures = [
    `${seconds.toFixed(2).padStart(8)} s`,
    `${cpuSeconds.toFixed(2).padStart(8)} s of processors`,
    `${megabytes.toFixed(0).padStart(6)} MB`,
  ];
  return `${name.padEnd(18)} ${figures.join(' ')}`;
}
