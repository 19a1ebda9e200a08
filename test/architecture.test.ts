import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The folders that each folder may import besides itself; the longest matching folder counts. */
const ALLOWED: Record<string, string[]> = {
  'src/core': [],
  'src/contract': ['src/core'],
  'src/web': ['src/core', 'src/contract'],
  'src/web/lib': ['src/core', 'src/contract'],
  'src/web/components': ['src/core', 'src/contract', 'src/web/lib'],
  'src/web/features': ['src/core', 'src/contract', 'src/web/lib', 'src/web/components'],
  // The API document names the version of the package.
  'src/server': ['src/core', 'src/contract', 'package.json'],
  simulators: [],
  verify: ['src', 'simulators', 'scripts', 'test'],
  'verify/fixtures': ['src/server', 'simulators', 'scripts', 'test'],
  'verify/invariants': ['src/core', 'simulators', 'verify/fixtures'],
  e2e: ['simulators', 'scripts', 'test', 'src/server/db/open-database.ts'],
  scripts: ['src', 'simulators'],
  test: ['src', 'simulators', 'scripts'],
};

const sources = globSync('{src,simulators,verify,e2e,test,scripts}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !/\.(test|spec)\.tsx?$|\.fixture\.ts$|\/fixtures\//.test(file),
);
const imports = sources.flatMap((file) => targetsOf(file).map((target) => ({ file, target })));

test('imports between folders follow the allowed directions', () => {
  const wrong = imports.filter(({ file, target }) => {
    const [home = ''] = Object.keys(ALLOWED)
      .filter((folder) => isUnder(file, folder))
      .toSorted((a, b) => b.length - a.length);
    return ![home, ...(ALLOWED[home] ?? [])].some((folder) => isUnder(target, folder));
  });
  expect(wrong).toEqual([]);
});

/** Folders that only these may import: all others know the platform by `platforms/platform.ts`. */
const CLOSED: Record<string, string[]> = {
  'src/server/platforms/meta': ['src/server/compose'],
};

test('only the composition knows which ad platform there is', () => {
  const wrong = imports.filter(({ file, target }) =>
    Object.entries(CLOSED).some(
      ([folder, openTo]) =>
        isUnder(target, folder) && ![folder, ...openTo].some((home) => isUnder(file, home)),
    ),
  );
  expect(wrong).toEqual([]);
});

/** What ARCHITECTURE.md draws for the folders of one folder, and what they import, as 'http → db'. */
function drawnAndFound(folder: string, from: string, to: string): [string[], string[]] {
  const text = read('ARCHITECTURE.md');
  const part = text.slice(text.indexOf(from), text.indexOf(to));
  const drawn = [...part.matchAll(/^ {2}(\w+) +→ ((?:\w+, )*\w+)/gm)].flatMap(([, name = '', targets = '']) =>
    targets.split(', ').map((one) => `${name} → ${one}`),
  );
  const nameOf = (file: string): string =>
    isUnder(file, folder) ? (file.split('/')[folder.split('/').length] ?? '') : '';
  const found = imports
    .map(({ file, target }) => [nameOf(file), nameOf(target)])
    .filter(
      ([one = '', other = '']) =>
        one !== '' && other !== '' && one !== other && ![one, other].some((name) => name.includes('.')),
    )
    .map((names) => names.join(' → '));
  return [drawn, [...new Set(found)]];
}

test('the diagrams show exactly the imports between the folders of the server, and between the features of the page', () => {
  const server = drawnAndFound('src/server', 'inside server,', 'inside web:');
  const features = drawnAndFound('src/web/features', 'inside web/features,', 'simulators import');
  for (const [drawn, found] of [server, features]) expect(drawn.toSorted()).toEqual(found.toSorted());
});

test('a feature of the page knows only those that the diagram names before it', () => {
  const [drawn] = drawnAndFound('src/web/features', 'inside web/features,', 'simulators import');
  const known = new Set(['auth']);
  for (const [name = '', target = ''] of drawn.map((one) => one.split(' → '))) {
    expect(known, `${name} imports ${target}`).toContain(target);
    if (!known.has(name)) known.add(name);
  }
});

test('each service is in the folder of its topic', () => {
  const loose = globSync('src/server/services/*.ts', { cwd: ROOT }).filter(
    (file) => !file.includes('.test.'),
  );
  expect(loose.toSorted()).toEqual(['src/server/services/deps.ts', 'src/server/services/wait-until.ts']);
});

test('what decides about the status knows nothing of what users read afterwards', () => {
  const wrong = imports.filter(
    ({ file, target }) => isUnder(file, 'src/core/smartpause') && /^src\/core\/(outages|events)/.test(target),
  );
  expect(wrong).toEqual([]);
});

test('the database decides nothing: of the core it takes types and constants', () => {
  // To sort, to connect again, to follow a clock, and to say and read an event as the core knows it.
  const HARMLESS = ['byName', 'backoffMs', 'clockDifference', 'describeEvent', 'readEvent'];
  const taken = sources
    .filter((file) => isUnder(file, 'src/server/db'))
    .flatMap((file) =>
      [...read(file).matchAll(/^import \{([^}]+)\} from '#core\//gm)].flatMap(([, names = '']) =>
        names.split(',').map((name) => ({ file, name: name.trim() })),
      ),
    );
  expect(taken.length).toBeGreaterThan(20);
  const wrong = taken.filter(({ name }) => !/^[A-Z_]*$/.test(name) && !HARMLESS.includes(name));
  // The list of what is kept for how long.
  expect(wrong).toEqual([{ file: 'src/server/db/retention.ts', name: 'days' }]);
});

test('the core has no imports from outside, but for the shapes of the stored events', () => {
  const isOutside = (specifier: string): boolean => !/^[.#]|^zod\/mini$/.test(specifier);
  expect(sources.filter((file) => isUnder(file, 'src/core') && specifiersOf(file).some(isOutside))).toEqual(
    [],
  );
});

test.each([
  // Oxlint forbids Date.now() and Math.random() there; it has no rule for a call without arguments.
  ['a clock in the core', /^src\/(core|contract)\//, /\bnew Date\(\)/],
  ['the computer’s time in a page', /^src\/web\/(?!lib\/server-clock\.ts)/, /\bDate\.now\(\)|\bnew Date\(\)/],
  ['the environment outside of the programs', /^src\//, /process\.env/],
  // The demo banner has a sentence for users; comments quote it.
  ['simulators or mocks in the product', /^src\//, /simulat(?!ed on this machine)|mock|\bfake/i],
  ['steps that change the work of a decision', /^src\/core\/reconciler\//, /\bwork\.\w+ = /],
  ['programs that the product starts', /^src\//, /child_process/],
  ['patterns from input, unknown certificates', /^src\//, /new RegExp\(|rejectUnauthorized|NODE_TLS_REJECT/],
  // Tools read the default exports of their own files.
  [
    'exports without a name, barrels',
    /^(?!.*(\.config|global-setup)\.ts)/,
    /^export (default|\* from|\{[^}]*\} from)/m,
  ],
])('there are no %s', (_what, where, forbidden) => {
  const searched = sources.filter((file) => where.test(file));
  expect(searched.length).toBeGreaterThan(10);
  expect(searched.filter((file) => forbidden.test(read(file)))).toEqual([]);
});

test('the README explains every script', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
  const readme = read('README.md');
  const isExplained = (name: string): boolean =>
    ['npm ', 'npm run ', ''].some((before) => readme.includes(`\`${before}${name}\``));
  expect(Object.keys(scripts).filter((name) => !isExplained(name))).toEqual([]);
});

test('the documents name only existing files', () => {
  const documents = globSync('{*.md,docs/*.md}', { cwd: ROOT }).filter((file) => file !== 'CHANGELOG.md');
  expect(documents.length).toBeGreaterThan(7);
  const PATH = /`((?:src|simulators|verify|e2e|test|scripts|docs|deploy|\.ci)\/[\w./-]*)`/g;
  const missing = documents.flatMap((document) =>
    [...read(document).matchAll(PATH)]
      .filter(([, path = '']) => !existsSync(join(ROOT, path)))
      .map(([path]) => `${document}: ${path}`),
  );
  expect(missing).toEqual([]);
});

function specifiersOf(file: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g;
  return [...read(file).matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

/** The files of this project that a file imports. */
function targetsOf(file: string): string[] {
  return specifiersOf(file).flatMap((specifier) => {
    if (specifier.startsWith('.')) return [relative(ROOT, resolve(ROOT, dirname(file), specifier))];
    const layer = /^#(core|contract|server|web)\/(.+)$/.exec(specifier);
    return layer === null ? [] : [`src/${layer[1] ?? ''}/${layer[2] ?? ''}`];
  });
}

function isUnder(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}
