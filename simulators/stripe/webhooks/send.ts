import type { Faults } from '../../kit/faults.ts';
import type { StripeEvent } from '../objects.ts';
import { signatureHeader } from './signature.ts';

export interface Attempt {
  /** When, in the account's time. */
  at: number;
  /** What the endpoint answered; null: nothing. */
  status: number | null;
  answer: string;
}

interface Sending {
  event: StripeEvent;
  url: string;
  secret: string;
  now: number;
  faults: Faults;
}

/** Longer than any receiver tolerates: Stripe's SDK allows five minutes. */
const TOO_OLD_SECONDS = 20 * 60;
const PATIENCE_MS = 20_000;

/** One attempt to deliver an event. The time in the signature is that of the attempt. */
export async function send({ event, url, secret, now, faults }: Sending): Promise<Attempt> {
  const occasion = { method: 'POST', path: event.type, op: 'outer' as const };
  const isForged = faults.take(['webhook_wrong_signature'], occasion) !== null;
  const isOld = faults.take(['webhook_old_timestamp'], occasion) !== null;
  const payload = JSON.stringify(event, null, 2);
  const signedWith = isForged ? `${secret}_of_somebody_else` : secret;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body: payload,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signatureHeader(payload, signedWith, isOld ? now - TOO_OLD_SECONDS : now),
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { at: now, status: answer.status, answer: (await answer.text()).slice(0, 500) };
  } catch (error) {
    return { at: now, status: null, answer: error instanceof Error ? error.message : String(error) };
  }
}
