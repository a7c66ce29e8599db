import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Log } from '../../src/core/log.ts';
import { silentLog } from '../../src/core/log.ts';
import { createTerminalProgress } from '../../src/core/terminal-progress.ts';
import { createLogProgress } from '../../src/core/work-meter.ts';
import { ManualClock } from '../support/manual-clock.ts';

interface Terminal {
  readonly stream: NodeJS.WriteStream;
  /** Everything that was written. */
  readonly output: () => string;
  /** The lines written since the cursor last went back, without control sequences. */
  readonly lastLines: () => string[];
}

function createTerminal(columns = 100): Terminal {
  const stream = new PassThrough();
  let output = '';
  stream.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  Object.assign(stream, { isTTY: true, columns });
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    output: () => output,
    lastLines: () =>
      output
        .slice(output.lastIndexOf('\u001b[?25h'))
        .replace(/\u001b\[[?\d;]*[a-zA-Z]/gu, '')
        .split('\n')
        .filter((line) => line !== ''),
  };
}

describe('progress on a terminal', () => {
  it('shows for each task the work done, its rate, the remaining time and the wait', async () => {
    const clock = new ManualClock();
    const terminal = createTerminal();
    const progress = createTerminalProgress({ stream: terminal.stream, color: false, clock });
    onTestFinished(() => progress.close());
    const acme = progress.task('acme', 100, 'requests');
    progress.task('beta', 0, 'requests').finish();
    acme.advance();
    acme.advance(24);
    acme.grow(25);
    await clock.advance(10_000);
    acme.waiting({ reason: 'the rate limit', ms: 12_000 });
    progress.close();
    expect(terminal.lastLines()).toEqual([
      '━━━━────────────────  acme  25 of 125 requests · 2.5/s · 40 s left · waits 12 s for the rate limit',
      '━━━━━━━━━━━━━━━━━━━━  beta  0 requests in 0 s',
    ]);
  });

  it('stays within the width, and lets no name control the terminal', () => {
    const terminal = createTerminal(50);
    const progress = createTerminalProgress({ stream: terminal.stream, color: false });
    progress.task(`evil\u001b]0;x\u0007 ${'long '.repeat(20)}`, 9, 'requests');
    progress.close();
    expect(terminal.output()).not.toContain('\u001b]');
    expect(terminal.lastLines().map((line) => line.length)).toEqual([50]);
  });
});

describe('progress in a log', () => {
  function collect(): { log: Log; lines: string[] } {
    const lines: string[] = [];
    return { lines, log: { ...silentLog, info: (_, message) => lines.push(message) } };
  }

  it('writes a line at the start, at the end, and at most one a minute in between', async () => {
    const clock = new ManualClock();
    const { log, lines } = collect();
    const task = createLogProgress(log, clock).task('acme', 200, 'requests');
    for (let step = 0; step < 15; step += 1) {
      await clock.advance(10_000);
      task.advance(10);
      if (step === 11) task.waiting({ reason: 'the rate limit', ms: 12_000 });
    }
    task.grow(10);
    task.finish();
    task.finish();
    expect(lines).toEqual([
      'acme: 200 requests to do',
      'acme: 60 of 200 requests, 1.0/s, 2 min 20 s left',
      'acme: 120 of 200 requests, 1.0/s, 1 min 20 s left',
      'acme: 150 requests in 2 min 30 s',
    ]);
  });

  it('counts down a wait, and never shows less remaining time than the limit requires', async () => {
    const clock = new ManualClock();
    const { log, lines } = collect();
    const limit = { count: 100, perSeconds: 60 };
    const task = createLogProgress(log, clock).task('acme', 350, 'requests', limit);
    task.advance(100);
    await clock.advance(1_000);
    task.waiting({ reason: 'the rate limit', ms: 89_000 });
    await clock.advance(60_000);
    task.advance(0);
    expect(lines[1]).toBe(
      'acme: 100 of 350 requests, 1.6/s, 2 min 33 s left, waits 29 s for the rate limit',
    );
  });
});
