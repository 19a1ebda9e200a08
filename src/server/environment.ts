import { z } from 'zod';
import type { Role } from '#core/roles.ts';
import { ROLES } from '#core/roles.ts';
import type { WatchedService } from './adapters/meta/status-page.ts';
import { origin, proxies, url } from './addresses.ts';

/** Meta itself: what is done there is real. */
export const REAL_GRAPH_URL = 'https://graph.facebook.com';
export const PROCESS_ROLES = ['all', 'web', 'worker'] as const;

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

/** Text for a page. */
const line = z.string().regex(/^[^\p{Cc}]{1,200}$/u, 'one line of at most 200 characters');

/** A key that somebody has typed in its place: random ones of this length have more. */
const LEAST_DIFFERENT = 10;
const keys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine((list) => list.every((key) => key.length >= 32), {
    message: 'every key needs at least 32 characters, e.g. the output of: openssl rand -base64 32',
  })
  .refine((list) => list.every((key) => new Set(key).size >= LEAST_DIFFERENT), {
    message: 'a key repeats itself; take the output of: openssl rand -base64 32',
  });

/** What is signed with a new secret or with the old one is taken while it is being replaced. */
const webhookSecrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine((list) => list.every((secret) => /^whsec_\S+$/.test(secret)), { message: "such as 'whsec_…'" });

const port = z.coerce.number().int().min(0).max(65_535);
const price = z.string().regex(/^price_\S+$/, "such as 'price_…'");

/** One exporter is enough: whoever takes OTLP over HTTP takes it as JSON as well. */
const protocol = z.literal('http/json', { error: "only 'http/json' is spoken" });

/** As OpenTelemetry writes it. */
const truth = z
  .string()
  .regex(/^(?:true|false)$/i, "such as 'true'")
  .transform((text) => text.toLowerCase() === 'true');

/** As OpenTelemetry names them. No trace of ours has a parent elsewhere. */
const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const databaseEnvironment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().default('./data'),
  ENCRYPTION_KEY: keys.optional(),
});

export const stripeEnvironment = z.object({
  STRIPE_SECRET_KEY: z.string().regex(/^(sk|rk)_(test|live)_\S+$/, "such as 'sk_test_…' or 'sk_live_…'"),
  STRIPE_API_URL: url.optional(),
});

export const platformEnvironment = z.object({
  META_APP_ID: z.string().regex(/^\d+$/, 'digits, as the app dashboard shows them'),
  META_APP_SECRET: z.string().min(1),
  META_API_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, "such as 'v26.0'")
    .default('v26.0'),
  META_GRAPH_URL: url.default(REAL_GRAPH_URL),
});

/** Every variable that SmartPause itself reads. What each is for stands in environment-words.ts. */
export const environment = databaseEnvironment.extend({
  ...stripeEnvironment.shape,
  ...platformEnvironment.shape,
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  TRUST_PROXY: proxies.default(0),
  OPERATIONS_PORT: port.optional(),
  OPERATIONS_HOST: z.string().optional(),
  ADMIN_PLATFORM_IDS: appointed.default([]),
  STATUS_POLL_SECONDS: z.coerce.number().positive().max(3600).default(10),
  META_DIALOG_URL: url.default('https://www.facebook.com'),
  META_STATUS_URL: url.default('https://metastatus.com'),
  META_STATUS_SERVICES: services.default([{ product: 'ads-manager', service: 'Ads Delivery' }]),
  STRIPE_WEBHOOK_SECRET: webhookSecrets,
  STRIPE_PRICE_MONTHLY: price,
  STRIPE_PRICE_YEARLY: price,
  STRIPE_PORTAL_CONFIGURATION: z.string().regex(/^bpc_\S+$/, "such as 'bpc_…'"),
  SMTP_URL: smtpUrl,
  MAIL_FROM: sender.default(LOCAL_SENDER),
  COMPANY_NAME: line.default('SmartPause'),
  COMPANY_ADDRESS: line.optional(),
  CONTACT_EMAIL: z.email({ error: "such as 'support@example.com'" }).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ROLE: z.enum(PROCESS_ROLES).default('all'),
  NODE_ENV: z.string().default('development'),
  DEMO: z.enum(['0', '1']).default('0'),
  OTEL_SDK_DISABLED: truth.default(false),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/json'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  OTEL_TRACES_SAMPLER: z.enum(TRACE_SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_SERVICE_NAME: z.string().default('smartpause'),
});

export type Environment = z.output<typeof environment>;
export type VariableName = keyof typeof environment.shape;
