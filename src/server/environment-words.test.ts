import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { CHAPTERS, NEEDED_IN_PRODUCTION } from './environment-words.ts';
import type { VariableName } from './environment.ts';
import { environment } from './environment.ts';

const described = CHAPTERS.flatMap(({ variables }) => Object.keys(variables));
const isNeeded = (name: VariableName): boolean => !environment.shape[name].safeParse(undefined).success;

const HEAD = `# Configuration

Every variable of the environment that SmartPause reads. A wrong or missing one is named at the start, with an example, and nothing
starts. An empty value counts as absent. \`npm start\` replaces Meta, Stripe and mail by programs of its own where they are not
configured; \`SIMULATOR_PORTS\` then says where those listen: the first of their ports (4001), or \`free\`.

With \`NODE_ENV=production\` it refuses besides: services that are not configured, keys that repeat themselves, secrets that are too
short or an example of this page, a test key of Stripe, \`http\` to Meta, Stripe and people on other machines, services other than the
mail server on this machine, a database that is not named, and a name that is nearly one of these. \`DEMO=1\` allows a demonstration,
with a test key and services on this machine. Secrets belong into the environment of the process, not into files beside the code; none of them is ever logged.
`;

function defaultOf(name: VariableName): string {
  const parsed = environment.shape[name].safeParse(undefined);
  if (!parsed.success) return 'needed';
  if (NEEDED_IN_PRODUCTION.some((one) => one === name)) return 'needed in production';
  const value: unknown = parsed.data;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '–';
  if (name === 'META_STATUS_SERVICES') return '`ads-manager:Ads Delivery`';
  return `\`${typeof value === 'number' ? value : JSON.stringify(value).replaceAll('"', '')}\``;
}

function asPage(): string {
  const chapters = CHAPTERS.map(({ title, variables }) => {
    const rows = Object.entries(variables).map(
      ([name, { words, example }]) =>
        `| \`${name}\` | ${words} | ${defaultOf(name as VariableName)} | \`${example}\` |`,
    );
    return `## ${title}\n\n| variable | what it is for | default | for example |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  const needed = [...described.filter((name) => isNeeded(name as VariableName)), ...NEEDED_IN_PRODUCTION];
  const all = [...new Set(needed)].map((name) => `\`${name}\``).join(', ');
  const least = `In production these have to be set: ${all}, and \`DATABASE_URL\`. Everything else has a default.\n`;
  return [HEAD, least, ...chapters].join('\n');
}

test('docs/configuration.md has every variable, with its default and an example', async () => {
  expect(described.toSorted()).toEqual(Object.keys(environment.shape).toSorted());
  await expect(asPage()).toMatchFileSnapshot('../../docs/configuration.md');
});

test('what is needed and missing is named with an example that would do', () => {
  const faults = () => readConfig({ NODE_ENV: 'production' });
  for (const name of [...described.filter((one) => isNeeded(one as VariableName)), ...NEEDED_IN_PRODUCTION]) {
    const example = CHAPTERS.flatMap(({ variables }) => variables[name as VariableName] ?? [])[0]?.example;
    expect(faults).toThrow(`${name}: is missing, such as: ${String(example)}`);
  }
});

test.each(described)('%s: what is wrong with it is said with an example', (name) => {
  const { error } = environment.safeParse({ [name]: '\u0000' });
  if (error?.issues.some(({ path }) => path[0] === name) !== true) return;
  expect(() => readConfig({ [name]: '\u0000' })).toThrow(new RegExp(`^  ${name}: .*such as`, 'm'));
});

test('the examples are good ones', () => {
  const examples: NodeJS.ProcessEnv = Object.fromEntries(
    CHAPTERS.flatMap(({ variables }) =>
      Object.entries(variables).map(([name, { example }]) => [name, example]),
    ),
  );
  delete examples['STRIPE_API_URL'];
  expect(() => readConfig(examples)).not.toThrow();
});

test('.env.example names every one of them', async () => {
  const text = await readFile('.env.example', 'utf8');
  expect(described.filter((name) => !text.includes(`${name}=`))).toEqual([]);
});
