import cliProgress from 'cli-progress';
import pc from 'picocolors';
import { systemClock, type Clock } from './clock.ts';
import type { Progress } from './progress.ts';
import { fitTerminal } from './terminal-width.ts';
import { WorkMeter } from './work-meter.ts';

export interface TerminalProgressOptions {
  /** A terminal. */
  readonly stream: NodeJS.WriteStream;
  readonly color: boolean;
  readonly clock?: Clock;
}

/** Bars, and a way past them for the lines of a log. */
export interface TerminalProgress extends Progress {
  /** Where a log writes: above the bars while there are any. */
  readonly destination: { write(lines: string): void };
}

const barLength = 20;
const wrapOn = '\u001b[?7h';
const wrapOff = '\u001b[?7l';

/**
 * A bar a task: how much is done, at which rate, how long the rest will take, and what it waits for.
 * The cursor is hidden from the first task until `close`, which may be followed by new tasks.
 */
export function createTerminalProgress(options: TerminalProgressOptions): TerminalProgress {
  const { stream, color, clock = systemClock } = options;
  const colors = pc.createColors(color);
  let bars: cliProgress.MultiBar | null = null;
  return {
    task: (name, total, unit, limit) => {
      const meter = new WorkMeter({ name, total, unit, limit }, clock);
      bars ??= createBars(stream, colors);
      bars.create(1, 0, meter);
      return {
        advance: (count = 1) => meter.advance(count),
        grow: (count) => meter.grow(count),
        waiting: (wait) => meter.waitFor(wait),
        finish: () => meter.finish(),
      };
    },
    close: () => {
      // The library forgets lines that are still to be written when it stops.
      bars?.update();
      bars?.stop();
      bars = null;
    },
    destination: {
      write: (lines) => {
        // A line of the log is written over a bar: what is left of the bar behind it has to go. Bars
        // keep the terminal from wrapping; a line of the log may be longer than the screen is wide.
        if (bars) bars.log(`${wrapOn}${lines.replaceAll('\n', '\u001b[K\n')}${wrapOff}`);
        else stream.write(lines);
      },
    },
  };
}

function createBars(
  stream: NodeJS.WriteStream,
  colors: ReturnType<typeof pc.createColors>,
): cliProgress.MultiBar {
  return new cliProgress.MultiBar({
    stream,
    hideCursor: true,
    forceRedraw: true,
    // Signals belong to the command line: it stops the work, and the end of the work closes this.
    gracefulExit: false,
    format: (_, __, meter: WorkMeter) => barLine(meter, stream.columns, colors),
  });
}

function barLine(
  meter: WorkMeter,
  width: number,
  colors: ReturnType<typeof pc.createColors>,
): string {
  const words = meter.isFinished ? [meter.result] : [meter.progress, ...meter.pace];
  const filled = Math.round(meter.share * barLength);
  const bar = colors.blue('━'.repeat(filled)) + colors.dim('─'.repeat(barLength - filled));
  const text = fitTerminal(`${meter.name}  ${words.join(' · ')}`, width - barLength - 2);
  return `${bar}  ${text}`;
}
