import type { Company } from '#contract/company.ts';
import { seconds } from '#core/time.ts';
import type { WatchedService } from './adapters/meta/status-page.ts';
import type { StripeConfig } from './adapters/stripe/billing.ts';
import { origin } from './addresses.ts';
import {
  databaseFaults,
  faultsOf,
  partlyProductionFaults,
  productionFaults,
  stripeFaults,
} from './config-faults.ts';
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
  company: Company;
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
  const isProduction = isNamedProduction(given);
  const faults = [
    ...faultsOf(parsed.error, given),
    ...stripeFaults(given),
    ...(isProduction ? productionFaults(given) : []),
  ];
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
  const faults = [...faultsOf(parsed.error, given), ...commandFaults(given, databaseEnvironment.shape)];
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
  const read = platformEnvironment.extend(databaseEnvironment.shape);
  const parsed = read.safeParse(given);
  const faults = [...faultsOf(parsed.error, given), ...commandFaults(given, read.shape)];
  if (!parsed.success || faults.length > 0) throw unusable(faults);
  const { data } = parsed;
  return {
    databaseUrl: data.DATABASE_URL,
    dataDir: data.DATA_DIR,
    encryptionKeys: data.ENCRYPTION_KEY,
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
  const read = stripeEnvironment.extend({ PUBLIC_URL: origin });
  const parsed = read.safeParse(given);
  const faults = [
    ...faultsOf(parsed.error, given),
    ...stripeFaults(given),
    ...commandFaults(given, read.shape),
  ];
  if (!parsed.success || faults.length > 0) throw unusable(faults);
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl = null, PUBLIC_URL: publicUrl } = parsed.data;
  return { secretKey, apiUrl, publicUrl };
}

/** In production a command is as strict with what it reads as the service is. */
function commandFaults(given: NodeJS.ProcessEnv, read: object): string[] {
  if (!isNamedProduction(given)) return [];
  return [
    ...('DATABASE_URL' in read ? databaseFaults(given) : []),
    ...partlyProductionFaults(given, Object.keys(read)),
  ];
}

function isNamedProduction(given: NodeJS.ProcessEnv): boolean {
  return given['NODE_ENV'] === 'production';
}

function withoutEmpty(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
}

function unusable(faults: readonly string[]): ConfigError {
  return new ConfigError(
    `The configuration is not usable:\n${[...new Set(faults)].join('\n')}\nSee docs/configuration.md for every name.`,
  );
}

function tracingOf(env: Environment): Tracing | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = env;
  const url = whole ?? (base === undefined ? null : `${base}/v1/traces`);
  if (url === null || env.OTEL_SDK_DISABLED || env.OTEL_TRACES_EXPORTER === 'none') return null;
  return { url, serviceName: env.OTEL_SERVICE_NAME, sampledRatio: sampledRatioOf(env) };
}

function sampledRatioOf(env: Environment): number {
  if (env.OTEL_TRACES_SAMPLER.endsWith('off')) return 0;
  return env.OTEL_TRACES_SAMPLER.endsWith('on') ? 1 : env.OTEL_TRACES_SAMPLER_ARG;
}

/** 'mail@example.com' in 'SmartPause <mail@example.com>'. */
function addressIn(sender: string): string {
  return /<([^>]+)>/.exec(sender)?.[1] ?? sender.trim();
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
    company: {
      name: env.COMPANY_NAME,
      address: env.COMPANY_ADDRESS ?? null,
      contact: env.CONTACT_EMAIL ?? addressIn(env.MAIL_FROM),
    },
    logLevel: env.LOG_LEVEL,
    tracing: tracingOf(env),
    role: env.ROLE,
    isProductionLike: isProduction || env.META_GRAPH_URL === REAL_GRAPH_URL,
  };
}
