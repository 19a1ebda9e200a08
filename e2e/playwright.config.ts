import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumOptions } from './support/chromium.ts';

const TESTS = /e2e\/[^/]+\.spec\.ts$/;
const BEFORE_RELEASE = /@before-release/;

export default defineConfig({
  globalSetup: './support/global-setup.ts',
  outputDir: '../test-results',
  workers: Math.max(2, availableParallelism() - 1),
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 900 },
    // Elsewhere each time has the user's own beside it.
    timezoneId: 'America/New_York',
    actionTimeout: 10_000,
    navigationTimeout: 10_000,
    launchOptions: await chromiumOptions(),
  },
  projects: [
    // Fully parallel: no worker waits at the end for the last file of another one.
    { name: 'e2e', testMatch: TESTS, grepInvert: BEFORE_RELEASE, fullyParallel: true },
    { name: 'verify', testMatch: /e2e\/verify\/[^/]+\.spec\.ts$/ },
    { name: 'before release', testMatch: TESTS, grep: BEFORE_RELEASE, fullyParallel: true },
  ],
});
