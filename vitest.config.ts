import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

const LONG = ['test/verify/', 'test/crash/', 'test/simulate.test.ts', 'test/fuzz.test.ts', 'e2e/states/'];

/** Starts with the files that take minutes: started last, they would run alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((part) => moduleId.includes(part));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/{core,contract,web}/**/*.test.ts',
            'test/architecture.test.ts',
            'test/deployment.test.ts',
            'test/supply-chain.test.ts',
          ],
          // A slow machine must not fail a test.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts', 'simulators/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/{architecture,deployment,supply-chain}.test.ts', '**/node_modules/**'],
          globalSetup: ['test/support/postgres.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          pool: 'forks',
          // A single worker would leave half of a machine with two processors idle.
          maxWorkers: Math.max(2, availableParallelism() - 1),
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts'],
          globalSetup: ['test/support/postgres.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          pool: 'forks',
          // Browsers and servers wait for each other: two at a time take little more than half the time.
          maxWorkers: Math.max(2, availableParallelism() - 1),
        },
      },
    ],
  },
});
