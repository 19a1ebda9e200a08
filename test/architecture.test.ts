import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

/** The folders that each folder may import besides itself; the longest matching folder counts. */
const ALLOWED: Record<string, string[]> = {
  'src/core': [],
  'src/contract': ['src/core'],
  'src/web': ['src/core', 'src/contract'],
  'src/server/observability': [],
  'src/server/platforms': ['src/core', 'src/contract', 'src/server/keyed-limit.ts'],
  'src/server/stripe': ['src/core', 'src/contract'],
  'src/server/db': ['src/core', 'src/contract', 'src/server/secrets.ts'],
  'src/server/reconciler': [
    'src/core',
    'src/contract',
    'src/server/db',
    'src/server/platforms',
    'src/server/clock.ts',
    'src/server/observability/log.ts',
    'src/server/observability/request-context.ts',
    'src/server/scheduled-task.ts',
    'src/server/secrets.ts',
  ],
  'src/server/notifications/channels': ['src/core'],
  'src/server/notifications': [
    'src/core',
    'src/server/db',
    'src/server/clock.ts',
    'src/server/observability/log.ts',
    'src/server/scheduled-task.ts',
  ],
  'src/server/services': [
    'src/core',
    'src/contract',
    'src/server/db',
    'src/server/platforms',
    'src/server/stripe',
    'src/server/notifications',
    'src/server/clock.ts',
    'src/server/observability/log.ts',
    'src/server/secrets.ts',
    'src/server/keyed-limit.ts',
  ],
  'src/server/realtime': [
    'src/core',
    'src/contract',
    'src/server/db',
    'src/server/clock.ts',
    'src/server/observability/log.ts',
    'src/server/scheduled-task.ts',
  ],
  'src/server/metrics': [
    'src/core',
    'src/server/platforms',
    'src/server/clock.ts',
    'src/server/stored-state.ts',
  ],
  'src/server/http': [
    'src/core',
    'src/contract',
    'src/server/services',
    'src/server/realtime',
    'src/server/db',
    'src/server/health.ts',
    'src/server/observability',
  ],
  'src/server': ['src'],
  simulators: [],
  verify: ['src', 'simulators', 'scripts', 'test'],
  'verify/fixtures': ['src/server', 'simulators', 'scripts', 'test'],
  'verify/invariants': ['src/contract', 'simulators', 'verify/fixtures'],
  e2e: ['simulators', 'scripts', 'test', 'src/server/db/pool/open.ts'],
  scripts: ['src', 'simulators'],
  test: ['src', 'simulators', 'scripts'],
};

const files = listFiles(['src', 'simulators', 'verify', 'e2e', 'test', 'scripts']);
const sources = files.filter((file) => !/\.(test|spec)\.tsx?$|\.fixture\.ts$|\/fixtures\//.test(file));
const imports = new Map(sources.map((file) => [file, importsOf(file)]));

describe('architecture', () => {
  test('imports between folders follow the allowed directions', () => {
    const wrong = sources.flatMap((file) => {
      const home = longestPrefix(file, Object.keys(ALLOWED));
      if (home === undefined) return [];
      const allowed = [home, ...(ALLOWED[home] ?? [])];
      return (imports.get(file) ?? [])
        .filter((target) => !allowed.some((folder) => isUnder(target, folder)))
        .map((target) => `${file} -> ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('the diagram of the server shows exactly the imports between its folders', () => {
    const drawn = [
      ...readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(/^ {2}(\w+) +→ ([\w, ]+)$/gm),
    ].flatMap(([, from = '', to = '']) => to.split(', ').map((one) => `${from} → ${one}`));
    const roomOf = (file: string) => /^src\/server\/(\w+)\//.exec(file)?.[1];
    const found = sources.flatMap((file) =>
      (imports.get(file) ?? [])
        .map((target) => [roomOf(file), roomOf(target)])
        .filter(([from, to]) => from !== undefined && to !== undefined && from !== to)
        .map(([from, to]) => `${String(from)} → ${String(to)}`),
    );
    expect(drawn.toSorted()).toEqual([...new Set(found)].toSorted());
  });

  test('services and the reconciler never import each other', () => {
    const wrong = sources.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter(
          (target) =>
            (isUnder(file, 'src/server/reconciler') && isUnder(target, 'src/server/services')) ||
            (isUnder(file, 'src/server/services') && isUnder(target, 'src/server/reconciler')),
        )
        .map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the core has no imports from outside', () => {
    const wrong = sources
      .filter((file) => isUnder(file, 'src/core'))
      .filter((file) => specifiersOf(file).some((specifier) => !/^[.#]/.test(specifier)));
    expect(wrong).toEqual([]);
  });

  // Oxlint forbids Date.now() and Math.random() there; it has no rule for a call without arguments.
  test('the core has no clock', () => {
    const wrong = sources
      .filter((file) => isUnder(file, 'src/core') || isUnder(file, 'src/contract'))
      .filter((file) => /\bnew Date\(\)/.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(wrong).toEqual([]);
  });

  test('only config.ts reads the environment', () => {
    const readers = sources.filter(
      (file) => file.startsWith('src/') && /process\.env/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(readers).toEqual([]);
  });

  test('the product does not import simulators or mocks', () => {
    // The demo banner's sentence for users; comments quote it.
    const banner = /(is|are) simulated on this machine/g;
    const wrong = files
      .filter((file) => file.startsWith('src/') && !/\.test\.tsx?$/.test(file))
      .filter((file) =>
        /simulat|mock|\bfake/i.test(readFileSync(join(ROOT, file), 'utf8').replaceAll(banner, '')),
      );
    expect(wrong).toEqual([]);
  });

  test('the product starts no program, builds no pattern from input and trusts no unknown certificate', () => {
    const wrong = sources
      .filter((file) => file.startsWith('src/'))
      .filter((file) =>
        /child_process|new RegExp\(|rejectUnauthorized|NODE_TLS_REJECT/.test(
          readFileSync(join(ROOT, file), 'utf8'),
        ),
      );
    expect(wrong).toEqual([]);
  });

  test('every export has a name, and no file is a barrel', () => {
    const wrong = sources
      // Tools read their default exports.
      .filter((file) => !/\.config\.ts$|^e2e\/support\/global-setup\.ts$/.test(file))
      .filter((file) =>
        /^export (default|\* from|\{[^}]*\} from)/m.test(readFileSync(join(ROOT, file), 'utf8')),
      );
    expect(wrong).toEqual([]);
  });

  test('the API has the version of the package', () => {
    const { version } = readPackage();
    expect(readFileSync(join(ROOT, 'src/server/http/server.ts'), 'utf8')).toContain(`VERSION = '${version}'`);
  });

  test('the README explains every script', () => {
    const { scripts } = readPackage();
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const isExplained = (name: string) =>
      ['npm ', 'npm run ', ''].some((before) => readme.includes(`\`${before}${name}\``));
    expect(Object.keys(scripts).filter((name) => !isExplained(name))).toEqual([]);
  });

  test('the documents name only existing files', () => {
    const documents = [
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'docs/security.md',
      'docs/deploy.md',
      'docs/operate.md',
    ].filter((file) => existsSync(join(ROOT, file)));
    expect(documents.length).toBe(7);
    const missing = documents.flatMap((document) =>
      [
        ...readFileSync(join(ROOT, document), 'utf8').matchAll(
          /`((?:src|simulators|verify|e2e|test|scripts|docs|deploy|\.ci)\/[\w./-]*)`/g,
        ),
      ]
        .map(([, path]) => path ?? '')
        .filter((path) => !existsSync(join(ROOT, path)))
        .map((path) => `${document}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});

function readPackage(): { version: string; scripts: object } {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string; scripts: object };
}

function listFiles(folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  );
}

function specifiersOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function importsOf(file: string): string[] {
  return specifiersOf(file).flatMap((specifier) => {
    if (specifier.startsWith('.')) return [relative(ROOT, resolve(ROOT, dirname(file), specifier))];
    const layer = /^#(core|contract|server|web)\/(.+)$/.exec(specifier);
    return layer === null ? [] : [`src/${layer[1] ?? ''}/${layer[2] ?? ''}`];
  });
}

function isUnder(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

function longestPrefix(file: string, folders: string[]): string | undefined {
  return folders.filter((folder) => isUnder(file, folder)).sort((a, b) => b.length - a.length)[0];
}
