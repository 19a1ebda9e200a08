import type { z } from 'zod';
import { seconds } from '#core/time.ts';
import { environment, origin, REAL_GRAPH_URL } from './schema.ts';

const database = environment.pick({ DATABASE_URL: true });
const platform = environment.pick({
  DATABASE_URL: true,
  ENCRYPTION_KEY: true,
  META_APP_ID: true,
  META_APP_SECRET: true,
  META_API_VERSION: true,
  META_GRAPH_URL: true,
});

export type Config = ReturnType<typeof readConfig>;

/** Lists every variable that is invalid or missing. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration from environment variables. Empty values count as absent.
 * @throws ConfigError
 */
export function readConfig(variables: NodeJS.ProcessEnv) {
  const env = parse(environment, variables);
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    operations:
      env.OPERATIONS_PORT === undefined
        ? null
        : { port: env.OPERATIONS_PORT, host: env.OPERATIONS_HOST ?? env.HOST },
    trustProxy: env.TRUST_PROXY,
    databaseUrl: env.DATABASE_URL,
    encryptionKeys: env.ENCRYPTION_KEY,
    configuredRoles: env.ADMIN_PLATFORM_IDS,
    statusPollMs: seconds(env.STATUS_POLL_SECONDS),
    meta: {
      ...appOf(env),
      dialogUrl: env.META_DIALOG_URL,
      loginConfigId: env.META_LOGIN_CONFIG_ID ?? null,
      statusUrl: env.META_STATUS_URL,
      statusServices: env.META_STATUS_SERVICES,
    },
    canary:
      env.CANARY_AD_ACCOUNT === undefined || env.CANARY_TOKEN === undefined
        ? null
        : { accountId: env.CANARY_AD_ACCOUNT, token: env.CANARY_TOKEN },
    controlUrls: env.CONTROL_URLS.map((one) => new URL(one)),
    stripe: {
      secretKey: env.STRIPE_SECRET_KEY,
      webhookSecrets: env.STRIPE_WEBHOOK_SECRET,
      prices: { monthly: env.STRIPE_PRICE_MONTHLY, yearly: env.STRIPE_PRICE_YEARLY },
      portalConfiguration: env.STRIPE_PORTAL_CONFIGURATION,
      apiUrl: env.STRIPE_API_URL ?? null,
    },
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    /** As 'host:port'. */
    allowedWebhookAddresses: env.ALLOWED_WEBHOOK_ADDRESSES,
    company: {
      name: env.COMPANY_NAME,
      address: env.COMPANY_ADDRESS ?? null,
      contact: env.CONTACT_EMAIL ?? /<([^>]+)>/.exec(env.MAIL_FROM)?.[1] ?? env.MAIL_FROM.trim(),
    },
    logLevel: env.LOG_LEVEL,
    role: env.ROLE,
    /** Live users may be affected. */
    isProductionLike: env.NODE_ENV === 'production' || env.META_GRAPH_URL === REAL_GRAPH_URL,
  };
}

/** For commands that need only the database. @throws ConfigError */
export function readDatabaseConfig(variables: NodeJS.ProcessEnv) {
  return { databaseUrl: parse(database, variables).DATABASE_URL };
}

/** For commands that also need the encryption keys. @throws ConfigError */
export function readDatabaseAndKeys(variables: NodeJS.ProcessEnv) {
  const env = parse(environment.pick({ DATABASE_URL: true, ENCRYPTION_KEY: true }), variables);
  return { databaseUrl: env.DATABASE_URL, encryptionKeys: env.ENCRYPTION_KEY };
}

/** For commands that also call Meta. @throws ConfigError */
export function readPlatformConfig(variables: NodeJS.ProcessEnv) {
  const env = parse(platform, variables);
  return { databaseUrl: env.DATABASE_URL, encryptionKeys: env.ENCRYPTION_KEY, meta: appOf(env) };
}

/** For the command that sets up a Stripe account. @throws ConfigError */
export function readStripeSetupConfig(variables: NodeJS.ProcessEnv) {
  const stripe = environment.pick({ STRIPE_SECRET_KEY: true, STRIPE_API_URL: true });
  const env = parse(stripe.extend({ PUBLIC_URL: origin }), variables);
  return { secretKey: env.STRIPE_SECRET_KEY, apiUrl: env.STRIPE_API_URL ?? null, publicUrl: env.PUBLIC_URL };
}

function parse<Schema extends z.ZodObject>(schema: Schema, variables: NodeJS.ProcessEnv): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { success, data, error } = schema.safeParse(given);
  const errors = [...schemaErrors(error, given), ...ruleErrors(given, Object.keys(schema.shape))];
  if (success && errors.length === 0) return data;
  throw new ConfigError(
    `The configuration is not usable:\n${[...new Set(errors)].join('\n')}\nSee docs/configuration.md for every name.`,
  );
}

function appOf(env: z.output<typeof platform>) {
  const { META_APP_ID: appId, META_APP_SECRET: appSecret, META_API_VERSION: apiVersion } = env;
  return { appId, appSecret, apiVersion, graphUrl: env.META_GRAPH_URL };
}

type Given = NodeJS.ProcessEnv;

/** Shorter than any secret that Meta or Stripe issues. */
const LEAST_SECRET_CHARACTERS = 16;
const LIVE_KEY = 'must not be set with a live key';
const TEST_KEY = 'must not be a test key (DEMO=1 allows it)';
const SHORT = `must have at least ${LEAST_SECRET_CHARACTERS} characters`;

const metaOf = (name: string) => environment.shape[name as keyof typeof environment.shape].meta() ?? {};

/** One line for each variable that the schema rejects. Never the value, which may be a secret. */
function schemaErrors(error: z.ZodError | undefined, given: Given): string[] {
  return (error?.issues ?? []).map(({ path: [name], message }) =>
    given[String(name)] === undefined ? missing(String(name)) : line(String(name), message),
  );
}

/** Rules between variables and those of production. Commands read only some of the variables. */
function ruleErrors(given: Given, read: readonly string[]): string[] {
  const isProduction = given['NODE_ENV'] === 'production';
  const isLive = isProduction && given['DEMO'] !== '1';
  const called = read.filter((name) => metaOf(name).isCalled === true);
  const rules: [applies: boolean, names: string[], isWrong: (value: string) => boolean, problem: string][] = [
    [given['STRIPE_SECRET_KEY']?.includes('_live_') === true, ['STRIPE_API_URL'], () => true, LIVE_KEY],
    [isProduction, called, isInsecure, 'must be https unless it is this machine'],
    [isLive, called, isThisMachine, 'must not be this machine (DEMO=1 allows it)'],
    [isLive, ['META_APP_SECRET', 'STRIPE_WEBHOOK_SECRET'], isShort, SHORT],
    [isLive, ['STRIPE_SECRET_KEY'], (key) => key.includes('_test_'), TEST_KEY],
  ];
  const broken = rules.flatMap(([applies, names, isWrong, problem]) =>
    names
      .filter((name) => applies && read.includes(name) && given[name] !== undefined && isWrong(given[name]))
      .map((name) => line(name, problem)),
  );
  const [account, token] = ['CANARY_AD_ACCOUNT', 'CANARY_TOKEN'].map((name) => given[name] !== undefined);
  const isHalf = account !== token && read.includes('CANARY_TOKEN');
  if (isHalf)
    broken.push(
      line(
        account ? 'CANARY_AD_ACCOUNT' : 'CANARY_TOKEN',
        account ? 'needs CANARY_TOKEN' : 'needs CANARY_AD_ACCOUNT',
      ),
    );
  const needed = read.filter((name) => isProduction && metaOf(name).isNeededInProduction === true);
  return [...broken, ...needed.filter((name) => given[name] === undefined).map(missing)];
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
