import type { z } from 'zod';
import { seconds } from '#core/time.ts';
import type { WatchedService } from './adapters/meta/status-page.ts';
import type { StripeConfig } from './adapters/stripe/billing.ts';
import { isOpenToOthers, isThisMachine, origin } from './addresses.ts';
import { NEEDED_IN_PRODUCTION, exampleOf } from './environment-words.ts';
import { misspelt } from './misspelt.ts';
import type { Appointed, Environment, PROCESS_ROLES } from './environment.ts';
import {
  REAL_GRAPH_URL,
  databaseEnvironment,
  environment,
  platformEnvironment,
  stripeEnvironment,
} from './environment.ts';

/** Where traces go. */
export interface Tracing {
  url: string;
  serviceName: string;
  /** The share of traces that is sent, from 0 to 1. */
  sampledRatio: number;
}

export interface Config {
  port: number;
  host: string;
  /** Without a slash at the end. */
  publicUrl: string;
  /** For whoever runs it; null: there is none. */
  operations: { port: number; host: string } | null;
  /** Whose word on where a request comes from is taken: so many proxies, or these addresses. */
  trustProxy: number | string[];
  databaseUrl: string | undefined;
  dataDir: string;
  /** Undefined: a key of this machine's own is to be used. Never in production. */
  encryptionKeys: string[] | undefined;
  appointed: Appointed[];
  statusPollMs: number;
  meta: {
    appId: string;
    appSecret: string;
    apiVersion: string;
    graphUrl: string;
    dialogUrl: string;
    statusUrl: string;
    statusServices: WatchedService[];
  };
  stripe: StripeConfig;
  mail: { smtpUrl: string; from: string };
  logLevel: string;
  /** Null: switched off. */
  tracing: Tracing | null;
  role: (typeof PROCESS_ROLES)[number];
  /** Live users may be affected: it is production by its name, or works with Meta itself. */
  isProductionLike: boolean;
}

/** All that is wrong with the environment, not only the first thing. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration from environment variables. Empty values count as absent.
 * @throws ConfigError that names every variable at fault
 */
export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const given = withoutEmpty(variables);
  const parsed = environment.safeParse(given);
  const faults = faultsOf(parsed.error, given);
  faults.push(...stripeFaults(given));
  const isProduction = given['NODE_ENV'] === 'production';
  if (isProduction) faults.push(...productionFaults(given));
  if (!parsed.success || faults.length > 0) throw unusable(faults);
  return toConfig(parsed.data, isProduction);
}

/**
 * Only where the database is, and what opens the tokens in it: for commands that need nothing else.
 * @throws ConfigError
 */
export function readDatabaseConfig(
  variables: NodeJS.ProcessEnv,
): Pick<Config, 'databaseUrl' | 'dataDir' | 'encryptionKeys'> {
  const given = withoutEmpty(variables);
  const parsed = databaseEnvironment.safeParse(given);
  const isProduction = given['NODE_ENV'] === 'production';
  const faults = [...faultsOf(parsed.error, given), ...(isProduction ? databaseFaults(given) : [])];
  if (!parsed.success || faults.length > 0) throw unusable(faults);
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ENCRYPTION_KEY: encryptionKeys } = parsed.data;
  return { databaseUrl, dataDir, encryptionKeys };
}

/**
 * Only what asking Meta about what is in the database needs.
 * @throws ConfigError
 */
export function readPlatformConfig(variables: NodeJS.ProcessEnv): Pick<
  Config,
  'databaseUrl' | 'dataDir' | 'encryptionKeys'
> & {
  meta: Pick<Config['meta'], 'appId' | 'appSecret' | 'apiVersion' | 'graphUrl'>;
} {
  const given = withoutEmpty(variables);
  const parsed = platformEnvironment.safeParse(given);
  if (!parsed.success) throw unusable(faultsOf(parsed.error, given));
  const { data } = parsed;
  return {
    ...readDatabaseConfig(variables),
    meta: {
      appId: data.META_APP_ID,
      appSecret: data.META_APP_SECRET,
      apiVersion: data.META_API_VERSION,
      graphUrl: data.META_GRAPH_URL,
    },
  };
}

/**
 * Only what setting up a Stripe account needs.
 * @throws ConfigError
 */
export function readStripeSetupConfig(
  variables: NodeJS.ProcessEnv,
): Pick<StripeConfig, 'secretKey' | 'apiUrl'> & { publicUrl: string } {
  const given = withoutEmpty(variables);
  const parsed = stripeEnvironment.extend({ PUBLIC_URL: origin }).safeParse(given);
  const faults = [...faultsOf(parsed.error, given), ...stripeFaults(given)];
  if (!parsed.success || faults.length > 0) throw unusable(faults);
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl = null, PUBLIC_URL: publicUrl } = parsed.data;
  return { secretKey, apiUrl, publicUrl };
}

const REACHED = [
  'PUBLIC_URL',
  'META_GRAPH_URL',
  'META_DIALOG_URL',
  'META_STATUS_URL',
  'STRIPE_API_URL',
] as const;
/** Shorter than any secret that Meta gives. */
const LEAST_SECRET = 16;

/** What is good enough for trying it out, and not for people's money. */
function productionFaults(given: NodeJS.ProcessEnv): string[] {
  const isDemonstration = given['DEMO'] === '1';
  const missing = NEEDED_IN_PRODUCTION.filter((name) => given[name] === undefined);
  const open = REACHED.filter((name) => isOpenToOthers(given[name] ?? ''));
  const here = REACHED.filter((name) => isThisMachine(given[name] ?? ''));
  const secret = given['META_APP_SECRET'];
  const isWeak = secret !== undefined && secret.length < LEAST_SECRET;
  return [
    ...missing.map(missingFault),
    ...databaseFaults(given),
    ...misspelt(given),
    ...open.map((name) => fault(name, 'https, unless it is this machine')),
    ...(isDemonstration
      ? []
      : [
          ...here.map((name) => fault(name, 'not this machine in production; DEMO=1 for a demonstration')),
          ...(given['STRIPE_SECRET_KEY']?.includes('_test_') === true
            ? [fault('STRIPE_SECRET_KEY', 'not a test key in production; DEMO=1 for a demonstration')]
            : []),
          ...(isWeak ? [fault('META_APP_SECRET', `shorter than ${LEAST_SECRET} characters`)] : []),
        ]),
  ];
}

/** An empty database in some folder would be a SmartPause that knows nobody, and says that all is well. */
function databaseFaults(given: NodeJS.ProcessEnv): string[] {
  if (given['DATABASE_URL'] !== undefined || given['DATA_DIR'] !== undefined) return [];
  return [`${missingFault('DATABASE_URL')}; or DATA_DIR, for the embedded database`];
}

const missingFault = (name: string): string => fault(name, 'is missing');

/** With an example, unless what is wrong is said by one. */
function fault(name: string, wrong: string): string {
  const example = exampleOf(name);
  const isShown = example === undefined || wrong.includes('such as');
  return `  ${name}: ${wrong}${isShown ? '' : `, such as: ${example}`}`;
}

/** Whoever answers in Stripe's place must never see a key that moves money. */
function stripeFaults(given: NodeJS.ProcessEnv): string[] {
  const isLive = given['STRIPE_SECRET_KEY']?.includes('_live_') === true;
  return isLive && given['STRIPE_API_URL'] !== undefined ? ['  STRIPE_API_URL: not with a live key'] : [];
}

function withoutEmpty(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
}

function faultsOf(error: z.ZodError | undefined, given: NodeJS.ProcessEnv): string[] {
  return (error?.issues ?? []).map((issue) => {
    const name = issue.path.map(String).join('.');
    return given[name] === undefined ? missingFault(name) : fault(name, issue.message);
  });
}

function unusable(faults: readonly string[]): ConfigError {
  return new ConfigError(
    `The configuration is not usable:\n${[...new Set(faults)].join('\n')}\nSee docs/configuration.md for every name.`,
  );
}

function tracingOf(env: Environment): Tracing | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = env;
  const url = whole ?? (base === undefined ? null : `${base}/v1/traces`);
  if (url === null || env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return null;
  return { url, serviceName: env.OTEL_SERVICE_NAME, sampledRatio: sampledRatioOf(env) };
}

function sampledRatioOf(env: Environment): number {
  if (env.OTEL_TRACES_SAMPLER.endsWith('off')) return 0;
  return env.OTEL_TRACES_SAMPLER.endsWith('on') ? 1 : env.OTEL_TRACES_SAMPLER_ARG;
}

function toConfig(env: Environment, isProduction: boolean): Config {
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
    dataDir: env.DATA_DIR,
    encryptionKeys: env.ENCRYPTION_KEY,
    appointed: env.ADMIN_PLATFORM_IDS,
    statusPollMs: seconds(env.STATUS_POLL_SECONDS),
    meta: {
      appId: env.META_APP_ID,
      appSecret: env.META_APP_SECRET,
      apiVersion: env.META_API_VERSION,
      graphUrl: env.META_GRAPH_URL,
      dialogUrl: env.META_DIALOG_URL,
      statusUrl: env.META_STATUS_URL,
      statusServices: env.META_STATUS_SERVICES,
    },
    stripe: {
      secretKey: env.STRIPE_SECRET_KEY,
      webhookSecrets: env.STRIPE_WEBHOOK_SECRET,
      prices: { monthly: env.STRIPE_PRICE_MONTHLY, yearly: env.STRIPE_PRICE_YEARLY },
      portalConfiguration: env.STRIPE_PORTAL_CONFIGURATION,
      apiUrl: env.STRIPE_API_URL ?? null,
    },
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    logLevel: env.LOG_LEVEL,
    tracing: tracingOf(env),
    role: env.ROLE,
    isProductionLike: isProduction || env.META_GRAPH_URL === REAL_GRAPH_URL,
  };
}
