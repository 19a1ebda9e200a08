import { createHmac } from 'node:crypto';
import type { StripeEvent } from '../objects.ts';

export interface Attempt {
  /** In the account's time. */
  at: number;
  /** The endpoint's status; null: no answer. */
  status: number | null;
  answer: string;
}

const TIMEOUT_MS = 20_000;

/** Delivers an event once. Each attempt is signed with its own time. */
export async function send(given: {
  event: StripeEvent;
  url: string;
  secret: string;
  now: number;
}): Promise<Attempt> {
  const { event, url, secret, now } = given;
  const payload = JSON.stringify(event, null, 2);
  const signature = createHmac('sha256', secret).update(`${now}.${payload}`).digest('hex');
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body: payload,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': `t=${now},v1=${signature}`,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { at: now, status: answer.status, answer: (await answer.text()).slice(0, 500) };
  } catch (error) {
    return { at: now, status: null, answer: error instanceof Error ? error.message : String(error) };
  }
}
