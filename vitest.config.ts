import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** A test's folder is its tier. */
const tiers = ['test/slow/**', 'test/desk/**'];

export default defineConfig({
  // beyond `npm ci`: Vitest begins with the files that took longest when it last ran them, at first with the largest
  cacheDir: '.cache/vitest',
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { TZ: 'UTC' },
    // much of what they wait for is the disk, other processes and pauses
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: tiers,
          // modules hold nothing that a test could leave to the next
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['test/slow/**/*.test.ts'],
          exclude: ['test/slow/alone/**'],
          isolate: false,
          testTimeout: 300_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          // they count what arrives in intervals of real time: on a busy machine they would blame us for its stalls
          include: ['test/slow/alone/**/*.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'desk',
          include: ['test/desk/**/*.test.ts'],
          globalSetup: 'test/desk/support/shared-folder.ts',
          isolate: false,
          testTimeout: 180_000,
        },
      },
    ],
  },
});
