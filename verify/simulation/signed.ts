import { createHmac } from 'node:crypto';
import { APP } from './outside.ts';

/** What Meta posts when somebody removes the app there. */
export function signRequest(userId: string, now: number): string {
  const payload = Buffer.from(
    JSON.stringify({ user_id: userId, algorithm: 'HMAC-SHA256', issued_at: Math.floor(now / 1000) }),
  ).toString('base64url');
  return `${createHmac('sha256', APP.secret).update(payload).digest('base64url')}.${payload}`;
}
