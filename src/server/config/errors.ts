import type { z } from 'zod';
import { environment } from './schema.ts';

type Given = NodeJS.ProcessEnv;
type Name = keyof typeof environment.shape;

const NAMES = Object.keys(environment.shape) as Name[];
/** Shorter than any secret that Meta or Stripe issues. */
const LEAST_SECRET_CHARACTERS = 16;

const metaOf = (name: string) => environment.shape[name as Name].meta() ?? {};

/** One line for each variable that the schema rejects. Never the value, which may be a secret. */
export function schemaErrors(error: z.ZodError | undefined, given: Given): string[] {
  return (error?.issues ?? []).map(({ path: [name], message }) =>
    given[String(name)] === undefined ? missing(String(name)) : line(String(name), message),
  );
}

/** Rules between variables and those of production. Commands read only some of the variables. */
export function ruleErrors(given: Given, read: readonly string[]): string[] {
  const { NODE_ENV, DEMO, STRIPE_SECRET_KEY: key = '' } = given;
  const isService = read.length === NAMES.length;
  const errors: string[] = [];
  const check = (name: Name, isWrong: (value: string) => boolean, problem: string): void => {
    const value = given[name];
    if (value !== undefined && read.includes(name) && isWrong(value)) errors.push(line(name, problem));
  };
  check('STRIPE_API_URL', () => key.includes('_live_'), 'must not be set with a live key');
  if (NODE_ENV !== 'production') return errors;
  for (const name of NAMES) {
    const { isCalled, isNeededInProduction } = metaOf(name);
    if (isService && isNeededInProduction && given[name] === undefined) errors.push(missing(name));
    if (isCalled) check(name, isInsecure, 'must be https unless it is this machine');
    if (isCalled && isService && DEMO !== '1')
      check(name, isThisMachine, 'must not be this machine (DEMO=1 allows it)');
  }
  if (DEMO === '1') return errors;
  for (const name of ['META_APP_SECRET', 'STRIPE_WEBHOOK_SECRET'] as const) {
    check(name, isShort, `must have at least ${LEAST_SECRET_CHARACTERS} characters`);
  }
  if (isService && key.includes('_test_')) {
    errors.push(line('STRIPE_SECRET_KEY', 'must not be a test key (DEMO=1 allows it)'));
  }
  return errors;
}

const parts = (value: string): string[] => value.split(',').map((part) => part.trim());

function isShort(value: string): boolean {
  return parts(value).some((part) => part.replace(/^whsec_/, '').length < LEAST_SECRET_CHARACTERS);
}

/** Without TLS, others on the network could read or change the traffic. */
function isInsecure(address: string): boolean {
  return URL.parse(address)?.protocol === 'http:' && !isThisMachine(address);
}

function isThisMachine(address: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(address)?.hostname ?? '');
}

const missing = (name: string): string => line(name, 'is missing');

function line(name: string, problem: string): string {
  const { example } = metaOf(name);
  return `  ${name}: ${problem}${example === undefined ? '' : `, for example: ${example}`}`;
}
