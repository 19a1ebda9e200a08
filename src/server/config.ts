import { z } from 'zod';
import type { Role } from '#core/roles.ts';
import { ROLES } from '#core/roles.ts';
import { seconds } from '#core/time.ts';
import type { WatchedService } from './adapters/meta/status-page.ts';
import type { StripeConfig } from './adapters/stripe/billing.ts';
import { isOpenToOthers, origin, proxies, url } from './addresses.ts';

/** Meta itself: what is done there is real. */
const REAL_GRAPH_URL = 'https://graph.facebook.com';
const PROCESS_ROLES = ['all', 'web', 'worker'] as const;

/** Who gets a role at their login. */
export interface Appointed {
  platformUserId: string;
  role: Role;
}

/** 'ads-manager:Ads Delivery, marketing-api:Some Service' */
const services = z.string().transform((text, context): WatchedService[] =>
  text.split(',').flatMap((pair) => {
    const [product, service] = pair.split(':').map((word) => word.trim());
    if (product === undefined || service === undefined || product === '' || service === '') {
      context.addIssue({ code: 'custom', message: `'${pair.trim()}' is not 'product:Service name'` });
      return [];
    }
    return [{ product, service }];
  }),
);

/** '1234, 5678:developers' */
const appointed = z.string().transform((text, context): Appointed[] =>
  text.split(',').flatMap((entry) => {
    const [, id, role = 'administrators'] = /^\s*(\d+)(?::(\w+))?\s*$/.exec(entry) ?? [];
    const known = ROLES.find((one) => one === role);
    if (id !== undefined && known !== undefined) return [{ platformUserId: id, role: known }];
    if (entry.trim() === '') return [];
    const message = `'${entry.trim()}' is not a Meta user id such as '1234', or with a role '1234:${ROLES.join('|')}'`;
    context.addIssue({ code: 'custom', message });
    return [];
  }),
);

const smtpUrl = z.url({
  protocol: /^smtps?$/,
  hostname: /./,
  error: "such as 'smtps://user:password@mail.example.com'",
});
const LOCAL_SENDER = 'SmartPause <smartpause@localhost.localdomain>';
const sender = z
  .string()
  .regex(
    /^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
    "such as 'SmartPause <mail@example.com>'",
  );

const keys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine((list) => list.every((key) => key.length >= 32), {
    message: 'every key needs at least 32 characters, e.g. the output of: openssl rand -base64 32',
  });

/** What is signed with a new secret or with the old one is taken while it is being replaced. */
const webhookSecrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine((list) => list.every((secret) => /^whsec_\S+$/.test(secret)), { message: "such as 'whsec_…'" });

const databaseEnvironment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().default('./data'),
  /** One key, or several with the newest first while old ones are being replaced. */
  ENCRYPTION_KEY: keys.optional(),
});

const stripeEnvironment = z.object({
  STRIPE_SECRET_KEY: z.string().regex(/^(sk|rk)_(test|live)_\S+$/, "such as 'sk_test_…' or 'sk_live_…'"),
  STRIPE_API_URL: url.optional(),
});

const platformEnvironment = z.object({
  META_APP_ID: z.string().regex(/^\d+$/, 'digits, as the app dashboard shows them'),
  META_APP_SECRET: z.string().min(1),
  META_API_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, "such as 'v26.0'")
    .default('v26.0'),
  META_GRAPH_URL: url.default(REAL_GRAPH_URL),
});

const environment = databaseEnvironment.extend({
  ...stripeEnvironment.shape,
  ...platformEnvironment.shape,
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  /** How many proxies of ours stand in front, or their addresses. */
  TRUST_PROXY: proxies.default(0),
  ADMIN_PLATFORM_IDS: appointed.default([]),
  STATUS_POLL_SECONDS: z.coerce.number().positive().max(3600).default(10),
  META_DIALOG_URL: url.default('https://www.facebook.com'),
  META_STATUS_URL: url.default('https://metastatus.com'),
  META_STATUS_SERVICES: services.default([{ product: 'ads-manager', service: 'Ads Delivery' }]),
  STRIPE_WEBHOOK_SECRET: webhookSecrets,
  STRIPE_PRICE_MONTHLY: z.string().regex(/^price_\S+$/, "such as 'price_…'"),
  STRIPE_PRICE_YEARLY: z.string().regex(/^price_\S+$/, "such as 'price_…'"),
  STRIPE_PORTAL_CONFIGURATION: z.string().regex(/^bpc_\S+$/, "such as 'bpc_…'"),
  SMTP_URL: smtpUrl,
  MAIL_FROM: sender.default(LOCAL_SENDER),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ROLE: z.enum(PROCESS_ROLES).default('all'),
  NODE_ENV: z.string().default('development'),
});

export interface Config {
  port: number;
  host: string;
  /** Without a slash at the end. */
  publicUrl: string;
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
  const isProduction = given['NODE_ENV'] === 'production';
  faults.push(...stripeFaults(given));
  if (isProduction && given['ENCRYPTION_KEY'] === undefined) faults.push('  ENCRYPTION_KEY: is missing');
  if (isProduction && given['PUBLIC_URL'] === undefined) faults.push('  PUBLIC_URL: is missing');
  if (isProduction && given['MAIL_FROM'] === undefined) faults.push('  MAIL_FROM: is missing');
  if (isProduction) faults.push(...openFaults(given));
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
  if (!parsed.success) throw unusable(faultsOf(parsed.error, given));
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

const REACHED = ['PUBLIC_URL', 'META_GRAPH_URL', 'META_DIALOG_URL', 'META_STATUS_URL', 'STRIPE_API_URL'];

function openFaults(given: NodeJS.ProcessEnv): string[] {
  return REACHED.filter((name) => isOpenToOthers(given[name] ?? '')).map(
    (name) => `  ${name}: https, unless it is this machine`,
  );
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
    return `  ${name}: ${given[name] === undefined ? 'is missing' : issue.message}`;
  });
}

function unusable(faults: readonly string[]): ConfigError {
  return new ConfigError(
    `The configuration is not usable:\n${faults.join('\n')}\nSee .env.example for every name.`,
  );
}

function toConfig(env: z.output<typeof environment>, isProduction: boolean): Config {
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
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
    role: env.ROLE,
    isProductionLike: isProduction || env.META_GRAPH_URL === REAL_GRAPH_URL,
  };
}
