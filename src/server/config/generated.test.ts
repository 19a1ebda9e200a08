import { expect, test } from 'vitest';
import { readConfig } from './read-config.ts';
import { environment } from './schema.ts';

type Name = keyof typeof environment.shape;
const NAMES = Object.keys(environment.shape) as Name[];

/** The first variable of each section. */
const SECTIONS = new Map<Name, string>([
  ['PORT', 'Addresses'],
  ['ROLE', 'Process'],
  ['DATABASE_URL', 'Database'],
  ['META_APP_ID', 'Meta'],
  ['CANARY_AD_ACCOUNT', 'Early warning'],
  ['STRIPE_SECRET_KEY', 'Stripe'],
  ['SMTP_URL', 'Email'],
  ['ALLOWED_WEBHOOK_ADDRESSES', 'Webhooks'],
  ['COMPANY_NAME', 'Company'],
]);

/** Their example is their default. */
const LISTS: readonly Name[] = ['META_STATUS_SERVICES', 'CONTROL_URLS'];

const metaOf = (name: Name) => environment.shape[name].meta() ?? {};
const isNeeded = (name: Name): boolean => !environment.shape[name].safeParse(undefined).success;
const needed = NAMES.filter((name) => isNeeded(name) || metaOf(name).isNeededInProduction === true);

const PAGE_HEAD = `# Configuration

SmartPause reads these environment variables; \`.env.example\` has an example of each. A wrong or missing one is named at the start, and nothing
starts. An empty value counts as absent. \`npm start\` simulates Meta, Stripe and email where they are not
configured; \`SIMULATOR_PORTS\` then names the first port of the simulators (4001), or is \`free\`. Outside production an
embedded PostgreSQL starts without \`DATABASE_URL\`, and a key is generated without \`ENCRYPTION_KEY\`, both in \`DATA_DIR\` (\`./data\`).

With \`NODE_ENV=production\` SmartPause also refuses: services that are not configured, keys that repeat themselves, short secrets,
a Stripe test key, \`http\` to other machines, services other than the mail server on this machine, and a database
that is not named. Put secrets into the environment of the process, not into files beside the code.
`;

const ENV_HEAD = `# The settings of SmartPause, generated from src/server/config/schema.ts. All are optional outside production: services that are
# not configured are simulated. Export them before npm start, for example:  set -a; . ./.env; set +a; npm start

# The first port of the simulators, or free.
# SIMULATOR_PORTS=4001
# The folder of the embedded PostgreSQL that starts without DATABASE_URL, and of the key that is generated without ENCRYPTION_KEY.
# DATA_DIR=./data
`;

function defaultOf(name: Name): string | null {
  const { success, data } = environment.shape[name].safeParse(undefined);
  if (!success || data === undefined) return null;
  if (typeof data === 'object') return LISTS.includes(name) ? (metaOf(name).example ?? '') : null;
  return String(data);
}

function asPage(): string {
  const code = (text: string | null): string => (text === null ? '–' : `\`${text}\``);
  const rows = NAMES.map((name) => {
    const section = SECTIONS.get(name);
    const head = `\n## ${section ?? ''}\n\n| variable | purpose | default |\n|---|---|---|\n`;
    const { description = '' } = metaOf(name);
    const inProduction = needed.includes(name) ? 'needed in production' : code(defaultOf(name));
    return `${section === undefined ? '' : head}| \`${name}\` | ${description} | ${isNeeded(name) ? 'needed' : inProduction} |\n`;
  });
  const all = needed.map((name) => `\`${name}\``).join(', ');
  const least = `\nProduction needs ${all}. Everything else has a default.\n`;
  return [PAGE_HEAD, least, ...rows].join('');
}

function asEnvironmentFile(): string {
  const lines = NAMES.map((name) => {
    const section = SECTIONS.get(name);
    const { description = '', example = '' } = metaOf(name);
    const value = defaultOf(name) ?? example;
    const shown = /[\s<]/.test(value) ? `"${value}"` : value;
    return `${section === undefined ? '' : `\n## ${section}\n`}# ${description.replaceAll('`', '')}\n# ${name}=${shown}\n`;
  });
  return [ENV_HEAD, ...lines].join('');
}

test('docs/configuration.md and .env.example have every variable with its description, and its default or example', async () => {
  expect(NAMES.filter((name) => (metaOf(name).description ?? '') === '')).toEqual([]);
  await expect(asPage()).toMatchFileSnapshot('../../../docs/configuration.md');
  await expect(asEnvironmentFile()).toMatchFileSnapshot('../../../.env.example');
});

test('production lists every missing variable with a valid example', () => {
  const read = () => readConfig({ NODE_ENV: 'production' });
  for (const name of needed) {
    expect(read).toThrow(`${name}: is missing, for example: ${metaOf(name).example ?? ''}`);
  }
});

test.each(NAMES)('%s: the error says what is expected', (name) => {
  const { error } = environment.safeParse({ [name]: '\u0000' });
  if (error?.issues.some(({ path }) => path[0] === name) !== true) return;
  expect(() => readConfig({ [name]: '\u0000' })).toThrow(new RegExp(`^  ${name}: .*(must|expected)`, 'm'));
});

test('the examples are valid, except that of the key', () => {
  const examples = Object.fromEntries(NAMES.map((name) => [name, metaOf(name).example]));
  const given = { ...examples, STRIPE_API_URL: '' };
  const ENCRYPTION_KEY = 'a-key-for-tests-of-32-characters-or-more';
  expect(() => readConfig({ ...given, ENCRYPTION_KEY })).not.toThrow();
  expect(() => readConfig(given)).toThrow('ENCRYPTION_KEY');
});
