import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumOptions } from './support/chromium.ts';

export default defineConfig({
  globalSetup: './support/global-setup.ts',
  outputDir: '../test-results',
  workers: Math.max(2, availableParallelism() - 1),
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 900 },
    actionTimeout: 10_000,
    navigationTimeout: 10_000,
    launchOptions: await chromiumOptions(),
  },
  projects: [
    { name: 'e2e', testMatch: /e2e\/[^/]+\.spec\.ts$/ },
    { name: 'verify', testMatch: /e2e\/verify\/[^/]+\.spec\.ts$/ },
  ],
});
