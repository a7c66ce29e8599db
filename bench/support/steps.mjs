import { fork } from 'node:child_process';

/**
 * Runs a step of a bench in a process of its own, so that its processor time and its peak memory are its own. The
 * bench hands its steps to {@link runAsStep} first.
 * @returns `value`, `seconds`, `cpuSeconds` and `megabytes`
 */
export function measureStep(file, name, ...args) {
  const child = fork(file, [...process.argv.slice(2), '--step', name, ...args]);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`${name} failed`)));
  });
}

/** @returns whether this process was started for a step, which has run then */
export async function runAsStep(steps) {
  const place = process.argv.indexOf('--step');
  if (place === -1) return false;
  const [name, ...args] = process.argv.slice(place + 1);
  const start = performance.now();
  const before = process.cpuUsage();
  const value = await steps[name](...args);
  const { user, system } = process.cpuUsage(before);
  process.send({
    value,
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
  });
  process.disconnect();
  return true;
}

export function stepLine(name, { seconds, cpuSeconds, megabytes }) {
  const figures = [
    `${seconds.toFixed(2).padStart(8)} s`,
    `${cpuSeconds.toFixed(2).padStart(8)} s of processors`,
    `${megabytes.toFixed(0).padStart(6)} MB`,
  ];
  return `${name.padEnd(18)} ${figures.join(' ')}`;
}
