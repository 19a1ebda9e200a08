import { z } from 'zod';
import { ROLES } from '#core/roles.ts';

declare module 'zod' {
  interface GlobalMeta {
    example?: string;
    /** Production requires https. */
    isCalled?: boolean;
    isNeededInProduction?: boolean;
  }
}

/** Meta's own API: writes there affect live campaigns. */
export const REAL_GRAPH_URL = 'https://graph.facebook.com';

const http = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** Without a trailing slash. */
const url = http.transform((value) => value.replace(/\/+$/, ''));

/** Paths are appended to it. */
export const origin = http
  .refine((value) => isOrigin(URL.parse(value)), 'must be scheme, host and port only')
  .transform((value) => new URL(value).origin);
const isOrigin = (parsed: URL | null): boolean => parsed === null || parsed.href === `${parsed.origin}/`;

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres URL' });
const smtpUrl = z
  .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtp or smtps URL' })
  .refine(
    (value) => /^([1-9]|10)$/.test(URL.parse(value)?.searchParams.get('maxConnections') ?? '10'),
    'has maxConnections that are not 1 to 10',
  );

const isPort = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 65_535;
const port = z.string().transform(Number).refine(isPort, 'must be a port number');

function commaSeparated(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function listOf<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z.string().transform(commaSeparated).pipe(z.array(item));
}

const PROXIES = "must be a number of proxies, or addresses such as '10.0.0.1, 192.168.0.0/16'";
/** '/0' is rejected: every client could then forge its address. */
const proxy = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], PROXIES)
  .refine((address) => !address.endsWith('/0'), PROXIES);
/** '2', or '10.0.0.1, 192.168.0.0/16'. */
const proxies = z.union([z.string().regex(/^\d$/).transform(Number), listOf(proxy)], PROXIES);

/** 'ads-manager:Ads Delivery, marketing-api:Campaigns'. */
const statusServices = listOf(
  z
    .string()
    .regex(/^[^:]*[^:\s]\s*:\s*[^:\s][^:]*$/, "must be a list of 'product:Service name'")
    .transform((pair) => pair.split(':').map((word) => word.trim()))
    .transform(([product = '', service = '']) => ({ product, service })),
);

const HOST_AND_PORT = "must be a list of 'host:port'";
/** 'hooks.internal:8443, [fd00::5]:443', as URLs spell them. */
const hostsAndPorts = listOf(
  z
    .string()
    .regex(/^[^/@\s]+:\d{1,5}$/, HOST_AND_PORT)
    .refine((entry) => URL.canParse(`http://${entry}`), HOST_AND_PORT)
    .transform((entry) => `${new URL(`http://${entry}`).hostname}${entry.slice(entry.lastIndexOf(':'))}`),
);

/** '1234, 5678:developers'. */
const appointments = z
  .string()
  .transform((text) => commaSeparated(text).filter((entry) => entry !== ''))
  .transform((entries) => entries.map((entry) => entry.split(':')))
  .pipe(
    z.array(
      z
        .tuple([z.string().regex(/^\d+$/)], z.enum(ROLES))
        .transform(([platformUserId, role = 'administrators']) => ({ platformUserId, role })),
      `must be a list of Meta user ids, each optionally with a role: '1234:${ROLES.join('|')}'`,
    ),
  );

const LEAST_DIFFERENT_CHARACTERS = 10;
const encryptionKeys = listOf(
  z
    .string()
    .min(32, 'every key must have at least 32 characters')
    .refine(
      (key) => new Set(key).size >= LEAST_DIFFERENT_CHARACTERS,
      'a key repeats itself; it must be random',
    ),
);

const webhookSecrets = listOf(z.string().regex(/^whsec_\S+$/, "every secret must begin with 'whsec_'"));

const sender = z
  .string()
  .regex(/^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must be a sender with one address');

const version = z.string().regex(/^v\d+\.\d+$/, "must be a version such as 'v26.0'");
const line = z.string().regex(/^[^\p{Cc}]{1,200}$/u, 'must be one line of at most 200 characters');

const pollSeconds = z.coerce.number().positive().max(3600);

const called = (address: string, description: string) =>
  url.default(address).meta({ description, isCalled: true });

function stripeId(prefix: string, description: string) {
  const schema = z.string().startsWith(`${prefix}_`, `must begin with '${prefix}_'`);
  return schema.meta({ description, example: `${prefix}_…` });
}

/** All environment variables. docs/configuration.md and .env.example are generated from this. */
export const environment = z.object({
  PORT: port.default(3000).describe('The port of pages and API; 0 for any free one.'),
  HOST: z.string().default('127.0.0.1').describe('The address to listen on; `0.0.0.0` for all.'),
  PUBLIC_URL: origin.optional().meta({
    description: 'Where browsers, Meta and Stripe reach it; `http://localhost:PORT` unless set.',
    example: 'https://smartpause.example',
    isCalled: true,
    isNeededInProduction: true,
  }),
  TRUST_PROXY: proxies.default(0).meta({
    description: `How many proxies of yours are in front, or their addresses; never \`/0\`. Rate limits then count by the client address that the proxies name. Otherwise all requests through a proxy count as one address, which has 6,000 requests a minute.`,
    example: '1',
  }),
  OPERATIONS_PORT: port.optional().meta({
    description: `A private port for operators in every role: \`/metrics\`, \`/health/ready\`, \`/health/live\`.`,
    example: '9464',
  }),
  OPERATIONS_HOST: z.string().optional().describe('The address of that port; `HOST` unless set.'),
  ROLE: z
    .enum(['all', 'web', 'worker'])
    .default('all')
    .describe('`web`: pages and API. `worker`: status page, reconciler, email and tasks. `all`: both.'),
  NODE_ENV: z.string().default('development').meta({
    description: '`production` refuses to start when a setting is weak, insecure or missing.',
    example: 'production',
  }),
  DEMO: z.enum(['0', '1']).default('0').meta({
    description: '`1` lets production work with services on this machine and a Stripe test key.',
    example: '1',
  }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug` (every response as well), `trace` or `silent`.'),
  STATUS_POLL_SECONDS: pollSeconds.default(10).describe("How often Meta's status page is read."),
  ADMIN_PLATFORM_IDS: appointments.default([]).meta({
    description:
      'Meta user ids that become `administrators` at login, or get the role after the colon. `developers` has the same rights. Removing an id here revokes nothing: `npm run admin -- revoke ID`.',
    example: '122093847561029384,1234:developers',
  }),
  DATABASE_URL: databaseUrl.meta({
    description: 'PostgreSQL 15 or newer; `?sslmode=verify-full` where the network is not your own.',
    example: 'postgres://smartpause:password@db.example:5432/smartpause',
  }),
  ENCRYPTION_KEY: encryptionKeys.meta({
    description:
      "Encrypts Meta's access tokens and the targets of notifications; at least 32 characters, from `openssl rand -base64 32`. To rotate it: the new key, a comma, the old key. Within a day all are encrypted with the new one.",
    // Too short to be accepted: a key that everyone knows protects nothing.
    example: '<openssl rand -base64 32>',
  }),
  META_APP_ID: z.string().regex(/^\d+$/, 'must be digits').meta({
    description: 'The id of the Meta app, from its dashboard.',
    example: '1234567890',
  }),
  META_APP_SECRET: z.string().meta({
    description: 'The secret of the Meta app.',
    example: '0123456789abcdef0123456789abcdef',
  }),
  META_LOGIN_CONFIG_ID: z.string().regex(/^\d+$/, 'must be digits').optional().meta({
    description:
      'The login configuration of an app with Facebook Login for Business; its token type is *User access token*.',
    example: '1234567890123456',
  }),
  META_API_VERSION: version.default('v26.0').describe('The version of the Graph API.'),
  META_GRAPH_URL: called(REAL_GRAPH_URL, 'The Graph API.'),
  META_DIALOG_URL: called('https://www.facebook.com', 'The login dialog.'),
  META_STATUS_URL: called('https://metastatus.com', 'The status page.'),
  META_STATUS_SERVICES: statusServices.prefault('ads-manager:Ads Delivery').meta({
    description: 'Its services that count: `product:Service name`, comma-separated.',
    example: 'ads-manager:Ads Delivery',
  }),
  CANARY_AD_ACCOUNT: z
    .string()
    .regex(/^act_\d+$/, "must be an ad account such as 'act_123'")
    .optional()
    .meta({
      description:
        'An ad account of yours with a campaign, on which SmartPause tries Meta once a minute and changes nothing: for early warnings, with few users above all. Needs `CANARY_TOKEN`.',
      example: 'act_1234567890',
    }),
  CANARY_TOKEN: z.string().regex(/^\S+$/, 'must be an access token').optional().meta({
    description: 'A token that may read and change it, such as one of a system user, without an expiry.',
    example: 'EAAB…',
  }),
  CONTROL_URLS: listOf(http)
    .prefault('https://www.cloudflare.com/cdn-cgi/trace,https://www.google.com/generate_204')
    .meta({
      description:
        'Hosts that have nothing to do with Meta, comma-separated. They are called while calls to Meta fail: if fewer than two answer, your own network is the cause. Two different hosts are needed.',
      example: 'https://www.cloudflare.com/cdn-cgi/trace,https://www.google.com/generate_204',
    }),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\S+$/, 'must be a secret or restricted key')
    .meta({
      description: 'A secret or restricted key. `npm run stripe:setup` prints the next four for it.',
      example: 'sk_live_…',
    }),
  STRIPE_WEBHOOK_SECRET: webhookSecrets.meta({
    description: 'The secret of the webhook endpoint. To rotate it: both, comma-separated.',
    example: 'whsec_…',
  }),
  STRIPE_PRICE_MONTHLY: stripeId('price', 'The monthly price.'),
  STRIPE_PRICE_YEARLY: stripeId('price', 'The yearly price.'),
  STRIPE_PORTAL_CONFIGURATION: stripeId('bpc', 'The configuration of the billing portal.'),
  STRIPE_API_URL: url.optional().meta({
    description: "Another address than Stripe's own; refused with a live key.",
    example: 'https://api.stripe.com',
    isCalled: true,
  }),
  SMTP_URL: smtpUrl.meta({
    description:
      'The mail server. With user and password on another machine the connection must be encrypted: `smtps://`, or `smtp://` with STARTTLS. `?maxConnections=3` at its end uses fewer connections than 10.',
    example: 'smtps://user:password@mail.example.com',
  }),
  MAIL_FROM: sender.default('SmartPause <smartpause@localhost.localdomain>').meta({
    description: 'The sender of all emails.',
    example: 'SmartPause <mail@example.com>',
    isNeededInProduction: true,
  }),
  ALLOWED_WEBHOOK_ADDRESSES: hostsAndPorts.default([]).meta({
    description:
      'Exceptions, as `host:port`, to what users may enter for Slack, Teams, Discord, PagerDuty and webhooks: public addresses with `https` on port 443. At an exception `http`, another port and an address inside your network are called, too.',
    example: 'hooks.internal.example:8443',
  }),
  COMPANY_NAME: line.default('SmartPause').describe('The company on the legal pages.'),
  COMPANY_ADDRESS: line.optional().describe('The postal address on the legal pages; none unless set.'),
  CONTACT_EMAIL: z.email('must be an email address').optional().meta({
    description: 'The contact address on the legal pages; the address in `MAIL_FROM` unless set.',
    example: 'support@example.com',
  }),
});
