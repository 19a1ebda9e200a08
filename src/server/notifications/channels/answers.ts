import type { Instant } from '#core/time.ts';
import type { SendResult } from './channel.ts';
import type { OutsideResponse } from './outside-http.ts';

/** What the answer of a receiver means. */
export type Answer = (response: OutsideResponse, now: Instant) => SendResult;

/** Statuses of 4xx that say nothing about the message. */
const LATER = new Set([408, 409, 423, 425, 429]);

/**
 * What an answer means: 2xx is accepted, 3xx a failure, and 4xx a refusal of this message unless it says 'later'.
 * @param given.isGone the receiver does not know the address any more
 */
export function answersOf(given: { name: string; isGone: (response: OutsideResponse) => boolean }): Answer {
  const { name, isGone } = given;
  return (response, now) => {
    const { status, body } = response;
    if (status >= 200 && status < 300) return { ok: true };
    // Only a bare code of the receiver's, such as no_service: anything else may quote what was sent.
    const code = /^[a-z_]{1,40}$/.test(body) ? ` ${body}` : '';
    const failed = { ok: false, error: `HTTP ${status}${code}` } as const;
    if (isGone(response))
      return {
        ...{ ...failed, isPermanent: true, isGone: true },
        copy: `${name} no longer accepts messages at this address.`,
      };
    if (status >= 300 && status < 400)
      return {
        ...{ ...failed, isPermanent: false },
        copy: 'It redirects to another address, which SmartPause doesn’t follow.',
      };
    const retryAfterMs = waitOf(response.headers['retry-after'], now);
    const isPermanent = status < 500 && !LATER.has(status);
    const does = isPermanent
      ? 'refused the message'
      : status === 429
        ? 'asks us to wait'
        : 'couldn’t take the message';
    return {
      ...{ ...failed, isPermanent, copy: `${name} ${does} (HTTP ${status}).` },
      ...(retryAfterMs !== null && { retryAfterMs }),
    };
  };
}

/** Seconds or a date. Null: nothing is asked for. */
function waitOf(text = '', now: Instant): number | null {
  const ms = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(Math.ceil(ms), 0);
}
