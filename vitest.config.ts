import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** One worker would leave half of a machine with two cores idle. */
const WORKERS = Math.max(2, availableParallelism() - 1);

/** These prove the specification's requirements in the browser; the other files belong to `npm run verify`. */
const BROWSER_TESTS = [
  'e2e/account/settings.spec.ts',
  'e2e/admin/admin.spec.ts',
  'e2e/billing/billing.spec.ts',
  'e2e/campaigns/{dashboard,engine,failures,history,table}.spec.ts',
  'e2e/site/{header,landing,legal}.spec.ts',
];

for (const pattern of BROWSER_TESTS)
  if (globSync(pattern).length === 0) throw new Error(`There is no browser test ${pattern}`);

const ROOT_UNIT_TESTS = 'test/{architecture,arguments,demo-mode,deployment,supply-chain}.test.ts';

const server = {
  setupFiles: ['test/setup.ts'],
  globalSetup: ['test/support/postgres.ts'],
  testTimeout: 30_000,
  hookTimeout: 30_000,
  pool: 'forks' as const,
  maxWorkers: WORKERS,
};

/** One product and one Chromium for each worker; the web app is built before the first test. */
const browser = {
  ...server,
  globalSetup: ['test/support/postgres.ts', 'test/support/web-app.ts'],
  testTimeout: 90_000,
  hookTimeout: 90_000,
  // A page shows a fact in several renders: each assertion looks until it holds.
  expect: { poll: { timeout: 10_000 } },
  isolate: false,
};

export default defineConfig({
  test: {
    // A forgotten `.only` would skip the others.
    allowOnly: false,
    projects: [
      {
        test: {
          name: 'unit',
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
      { test: { ...browser, name: 'e2e', include: BROWSER_TESTS } },
      {
        test: {
          ...browser,
          name: 'verify-browser',
          include: ['e2e/*/*.spec.ts'],
          exclude: [...BROWSER_TESTS, 'e2e/states/**'],
        },
      },
      { test: { ...browser, name: 'states', include: ['e2e/states/*.spec.ts'] } },
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
