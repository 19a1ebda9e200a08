import type { z } from 'zod';
import { isOpenToOthers, isThisMachine } from './addresses.ts';
import { NEEDED_IN_PRODUCTION, exampleOf } from './environment-words.ts';
import type { VariableName } from './environment.ts';
import { misspelt } from './misspelt.ts';

type Given = NodeJS.ProcessEnv;

const REACHED = [
  'PUBLIC_URL',
  'META_GRAPH_URL',
  'META_DIALOG_URL',
  'META_STATUS_URL',
  'STRIPE_API_URL',
] as const satisfies readonly VariableName[];

/** What opens something, and by what its parts are divided where it has several. */
const SECRETS = [
  ['ENCRYPTION_KEY', ','],
  ['META_APP_SECRET', null],
  ['STRIPE_SECRET_KEY', null],
  ['STRIPE_WEBHOOK_SECRET', ','],
  ['STRIPE_PRICE_MONTHLY', null],
  ['STRIPE_PRICE_YEARLY', null],
  ['STRIPE_PORTAL_CONFIGURATION', null],
  ['SMTP_URL', null],
  ['DATABASE_URL', null],
] as const satisfies readonly (readonly [VariableName, ',' | null])[];

/** Shorter than any secret that Meta or Stripe gives. */
const LEAST_SECRET = 16;
const LEAST_SECRETS: readonly (readonly [VariableName, RegExp])[] = [
  ['META_APP_SECRET', /^/],
  ['STRIPE_WEBHOOK_SECRET', /^whsec_/],
];

/** One line for each variable that is not understood. */
export function faultsOf(error: z.ZodError | undefined, given: Given): string[] {
  return (error?.issues ?? []).map((issue) => {
    const name = issue.path.map(String).join('.');
    return given[name] === undefined ? missingFault(name) : fault(name, issue.message);
  });
}

/** Whoever answers in Stripe's place must never see a key that moves money. */
export function stripeFaults(given: Given): string[] {
  const isLive = given['STRIPE_SECRET_KEY']?.includes('_live_') === true;
  return isLive && given['STRIPE_API_URL'] !== undefined ? ['  STRIPE_API_URL: not with a live key'] : [];
}

/** What is good enough for trying it out, and not for people's money. */
export function productionFaults(given: Given): string[] {
  const missing = NEEDED_IN_PRODUCTION.filter((name) => given[name] === undefined);
  const here = REACHED.filter((name) => isThisMachine(given[name] ?? ''));
  const isTestKey = given['STRIPE_SECRET_KEY']?.includes('_test_') === true;
  const onlyForDemonstrations = [
    ...here.map((name) => fault(name, 'not this machine in production; DEMO=1 for a demonstration')),
    ...(isTestKey
      ? [fault('STRIPE_SECRET_KEY', 'not a test key in production; DEMO=1 for a demonstration')]
      : []),
  ];
  return [
    ...missing.map(missingFault),
    ...databaseFaults(given),
    ...partlyProductionFaults(given, [...REACHED, ...SECRETS.map(([name]) => name)]),
    ...(isDemonstration(given) ? [] : onlyForDemonstrations),
  ];
}

/** Of those, what concerns a command that reads these variables only. */
export function partlyProductionFaults(given: Given, names: readonly string[]): string[] {
  const open = REACHED.filter((name) => names.includes(name) && isOpenToOthers(given[name] ?? ''));
  return [
    ...misspelt(given),
    ...open.map((name) => fault(name, 'https, unless it is this machine')),
    ...(isDemonstration(given) ? [] : secretFaults(given, names)),
  ];
}

/** An empty embedded database would be a SmartPause that knows nobody, and says that all is well. */
export function databaseFaults(given: Given): string[] {
  return given['DATABASE_URL'] === undefined ? [missingFault('DATABASE_URL')] : [];
}

function isDemonstration(given: Given): boolean {
  return given['DEMO'] === '1';
}

/** Who copies an example has sealed with a key, or is reached by a secret, that everybody can read. */
function secretFaults(given: Given, names: readonly string[]): string[] {
  const asked = (name: string): string | undefined => (names.includes(name) ? given[name] : undefined);
  const examples = SECRETS.filter(([name, divider]) => {
    const parts = divider === null ? [asked(name)] : (asked(name)?.split(divider) ?? []);
    return parts.some((part) => part !== undefined && isExample(name, part.trim()));
  });
  const short = LEAST_SECRETS.filter(([name, head]) =>
    (asked(name)?.split(',') ?? []).some((one) => one.trim().replace(head, '').length < LEAST_SECRET),
  );
  return [
    ...examples.map(([name]) => `  ${name}: is an example, and no value of your own`),
    ...short.map(([name]) => fault(name, `shorter than ${LEAST_SECRET} characters`)),
  ];
}

function isExample(name: string, value: string): boolean {
  return value === exampleOf(name) || /[\s…]|:password@/.test(value);
}

const missingFault = (name: string): string => fault(name, 'is missing');

/** With an example, unless what is wrong is said by one. */
function fault(name: string, wrong: string): string {
  const example = exampleOf(name);
  const isShown = example === undefined || wrong.includes('such as');
  return `  ${name}: ${wrong}${isShown ? '' : `, such as: ${example}`}`;
}
