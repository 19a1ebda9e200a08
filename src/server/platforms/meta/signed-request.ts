import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Instant } from '#core/time.ts';
import { days, minutes, seconds } from '#core/time.ts';

/** What the platform says when somebody removes the app there, or asks for their data to be deleted. */
export interface SignedRequest {
  platformUserId: string;
  issuedAt: Instant;
}

/** Most name no end of their own: an intercepted one must not be good for ever. */
const GOOD_FOR_MS = days(1);
/** Clocks differ. */
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
 * Reads a `signed_request`: signature, a dot, a JSON payload, both base64url; the signature is the HMAC-SHA256 of
 * the payload's text by the app's secret. Null unless it is genuine, understood and not expired.
 */
export function readSignedRequest(text: string, appSecret: string, now: Instant): SignedRequest | null {
  const [, signature, encoded] = SIGNED.exec(text) ?? [];
  if (signature === undefined || encoded === undefined) return null;
  const expected = createHmac('sha256', appSecret).update(encoded).digest();
  if (!timingSafeEqual(Buffer.from(signature, 'base64url'), expected)) return null;
  const parsed = payload.safeParse(jsonOf(encoded));
  if (!parsed.success || parsed.data.algorithm.toUpperCase() !== 'HMAC-SHA256') return null;
  const { issued_at, expires, user_id } = parsed.data;
  const issuedAt = seconds(issued_at);
  if (issuedAt < now - GOOD_FOR_MS || issuedAt > now + AHEAD_MS) return null;
  // Samples carry 0 for 'never'.
  if (expires !== undefined && expires > 0 && seconds(expires) < now) return null;
  return { platformUserId: user_id, issuedAt };
}

function jsonOf(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
