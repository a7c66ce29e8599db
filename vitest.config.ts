import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They count what arrives in intervals of real time: on a busy machine they would blame us for its stalls. */
const aloneFiles = ['test/slow/rate-limit.test.ts', 'test/slow/shared-budget.test.ts'];

const slowFiles = [
  'test/fuzz/**/*.test.ts',
  'test/slow/**/*.test.ts',
  'test/lake/**/*.test.ts',
  // every report against figures worked out without SQL, and against a warehouse of its scope alone
  'test/reports/independent.test.ts',
  'test/reports/scope.test.ts',
  'test/reports/findings.test.ts',
  'test/reports/months.test.ts',
  // every phrase of every report, and every answer of the sandbox
  'test/report/languages.test.ts',
  'test/contract/sandbox.test.ts',
  // whole programs that take longest
  'test/e2e/deliveries.test.ts',
  'test/e2e/file-rights.test.ts',
  'test/e2e/report-preview.test.ts',
  'test/e2e/sandbox.test.ts',
  'test/e2e/webhooks-serve.test.ts',
];

/** These begin first, so that no long file runs by itself at the end. */
const longest =
  /\/(?:e2e\/(?:clients|deliveries|report-check)|desk\/(?:demo|parity|report-pages|xlsx-input)|lake\/(?:changes|chaos|engines|fleet)|reports\/(?:engagement|golden|scope)|slow\/kills)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { TZ: 'UTC' },
    // much of what they wait for is the disk, other processes and pauses
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/desk/**', ...slowFiles],
          // modules hold nothing that a test could leave to the next
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slowFiles,
          exclude: aloneFiles,
          isolate: false,
          testTimeout: 300_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: aloneFiles, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'desk',
          include: ['test/desk/**/*.test.ts'],
          globalSetup: 'test/desk/support/shared-folder.ts',
          testTimeout: 180_000,
        },
      },
    ],
  },
});
