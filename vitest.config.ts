import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** One worker would leave half of a machine with two cores idle. */
const WORKERS = Math.max(2, availableParallelism() - 1);

const ROOT_UNIT_TESTS =
  'test/{architecture,arguments,demo-mode,deployment,early-warning,mutants,supply-chain}.test.ts';

const server = {
  setupFiles: ['test/setup.ts'],
  globalSetup: ['test/support/postgres.ts'],
  testTimeout: 30_000,
  hookTimeout: 30_000,
  pool: 'forks' as const,
  maxWorkers: WORKERS,
};

export default defineConfig({
  test: {
    // A forgotten `.only` would skip the others.
    allowOnly: false,
    projects: [
      {
        test: {
          name: 'unit',
          // A page shows the viewer's own time beside New York's where they differ.
          env: { TZ: 'America/New_York' },
          include: ['src/{core,contract,web}/**/*.test.ts', ROOT_UNIT_TESTS],
          setupFiles: ['test/setup.ts'],
          isolate: false,
        },
      },
      {
        test: {
          ...server,
          name: 'server',
          // The product is loaded once per worker.
          isolate: false,
          include: ['src/server/**/*.test.ts', 'simulators/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [ROOT_UNIT_TESTS, '**/node_modules/**'],
        },
      },
      {
        // Each of these starts processes, waits for real time or needs the registry.
        test: {
          ...server,
          name: 'verify',
          include: ['verify/tests/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
