import { createHmac } from 'node:crypto';

/** The header by which a receiver knows that Stripe has sent this, and when. */
export function signatureHeader(payload: string, secret: string, at: number): string {
  const signature = createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex');
  return `t=${at},v1=${signature}`;
}
