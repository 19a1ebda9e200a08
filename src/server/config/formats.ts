import { isIP } from 'node:net';
import { z } from 'zod';
import { ROLES } from '#core/roles.ts';

const http = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** Without a trailing slash. */
export const url = http.transform((value) => value.replace(/\/+$/, ''));

/** Paths are appended to it. */
export const origin = http
  .refine((value) => isOrigin(URL.parse(value)), 'must be scheme, host and port only')
  .transform((value) => new URL(value).origin);
const isOrigin = (parsed: URL | null): boolean => parsed === null || parsed.href === `${parsed.origin}/`;

export const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres URL' });
export const smtpUrl = z.url({
  protocol: /^smtps?$/,
  hostname: /./,
  error: 'must be an smtp or smtps URL',
});

const isPort = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 65_535;
export const port = z.string().transform(Number).refine(isPort, 'must be a port number');

/** '2', or '10.0.0.1, 192.168.0.0/16'. */
export const proxies = z
  .string()
  .transform((text) => (/^\d$/.test(text) ? Number(text) : commaSeparated(text)))
  .refine(
    (value) => typeof value === 'number' || value.every(isProxy),
    "must be a number of proxies, or addresses such as '10.0.0.1, 192.168.0.0/16'",
  );

/** '/0' is rejected: every client could then forge its address. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

/** 'ads-manager:Ads Delivery, marketing-api:Campaigns'. */
export const statusServices = z
  .string()
  .transform((text) => commaSeparated(text).map((pair) => pair.split(':').map((word) => word.trim())))
  .refine(
    (pairs) => pairs.every((pair) => pair.length === 2 && !pair.includes('')),
    "must be a list of 'product:Service name'",
  )
  .transform((pairs) => pairs.map(([product = '', service = '']) => ({ product, service })));

/** '1234, 5678:developers'. */
export const appointments = z
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
export const encryptionKeys = z
  .string()
  .transform(commaSeparated)
  .refine((keys) => keys.every(({ length }) => length >= 32), 'every key must have at least 32 characters')
  .refine(
    (keys) => keys.every((key) => new Set(key).size >= LEAST_DIFFERENT_CHARACTERS),
    'a key repeats itself; it must be random',
  );

export const webhookSecrets = z
  .string()
  .transform(commaSeparated)
  .refine((all) => all.every((one) => /^whsec_\S+$/.test(one)), "every secret must begin with 'whsec_'");

export const sender = z
  .string()
  .regex(/^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must be a sender with one address');

export const version = z.string().regex(/^v\d+\.\d+$/, "must be a version such as 'v26.0'");
export const line = z.string().regex(/^[^\p{Cc}]{1,200}$/u, 'must be one line of at most 200 characters');

function commaSeparated(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
