import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Instant } from '#core/time.ts';
import { days, minutes, seconds } from '#core/time.ts';
import type { SignedRequest } from '../platform.ts';
import { parseJson } from './client.ts';

/** Most have no expiry of their own: an intercepted one must not be valid forever. */
const GOOD_FOR_MS = days(1);
/** Tolerance for clock differences. */
const AHEAD_MS = minutes(5);

/** Base64url without padding: 32 bytes are 43 characters. */
const SIGNED = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]+)$/;

const payload = z.object({
  algorithm: z.string(),
  /** In seconds. */
  issued_at: z.number().int().positive(),
  expires: z.number().int().nonnegative().optional(),
  user_id: z.union([z.string().regex(/^\d+$/), z.number().int().positive()]).transform(String),
});

/**
 * Parses `signed_request`: signature, dot, JSON payload, both base64url. The signature is the HMAC-SHA256 of
 * the payload's text with the app secret. Null unless it is authentic, valid and not expired.
 */
export function readSignedRequest(text: string, appSecret: string, now: Instant): SignedRequest | null {
  const [, signature, encoded] = SIGNED.exec(text) ?? [];
  if (signature === undefined || encoded === undefined) return null;
  const expected = createHmac('sha256', appSecret).update(encoded).digest();
  if (!timingSafeEqual(Buffer.from(signature, 'base64url'), expected)) return null;
  const parsed = payload.safeParse(parseJson(Buffer.from(encoded, 'base64url').toString('utf8')));
  if (!parsed.success || parsed.data.algorithm.toUpperCase() !== 'HMAC-SHA256') return null;
  const { issued_at, expires, user_id } = parsed.data;
  const issuedAt = seconds(issued_at);
  if (issuedAt < now - GOOD_FOR_MS || issuedAt > now + AHEAD_MS) return null;
  // Meta's samples use 0 for 'never'.
  if (expires !== undefined && expires > 0 && seconds(expires) < now) return null;
  return { platformUserId: user_id, issuedAt };
}
