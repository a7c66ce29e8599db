import cliProgress from 'cli-progress';
import pc from 'picocolors';
import { systemClock, type Clock } from './clock.ts';
import type { Progress } from './progress.ts';
import { fitTerminal } from './terminal-width.ts';
import { WorkMeter } from './work-meter.ts';

export interface TerminalProgressOptions {
  /** A stream that is a terminal. */
  readonly stream: NodeJS.WriteStream;
  readonly color: boolean;
  readonly clock?: Clock;
}

const barLength = 20;
const wrapOn = '\u001b[?7h';
const wrapOff = '\u001b[?7l';

/**
 * Shows a bar for each task, with the work done, its rate, the remaining time and the reason of a wait. The cursor
 * is hidden from the first task until `close`, which may be followed by new tasks.
 */
export function createTerminalProgress(options: TerminalProgressOptions) {
  const { stream, color, clock = systemClock } = options;
  const colors = pc.createColors(color);
  let bars: cliProgress.MultiBar | null = null;
  const progress: Progress = {
    task: (name, total, unit, limit) => {
      const meter = new WorkMeter({ name, total, unit, limit }, clock);
      bars ??= new cliProgress.MultiBar({
        stream,
        hideCursor: true,
        forceRedraw: true,
        // The command line handles signals: it stops the work, whose end closes the bars.
        gracefulExit: false,
        format: (_, __, shown: WorkMeter) => barLine(shown, stream.columns, colors),
      });
      bars.create(1, 0, meter);
      return meter;
    },
    close: () => {
      // The library drops pending lines when it stops.
      bars?.update();
      bars?.stop();
      bars = null;
    },
  };
  return {
    ...progress,
    /** Takes log lines, which are written above the bars while there are any. */
    destination: {
      write: (lines: string) => {
        // A log line overwrites a bar, so the rest of that bar is erased. The bars turn off wrapping,
        // but a log line may be longer than the screen is wide.
        if (bars) bars.log(`${wrapOn}${lines.replaceAll('\n', '\u001b[K\n')}${wrapOff}`);
        else stream.write(lines);
      },
    },
  };
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
