import { z } from 'zod';
import type { Message } from '../message.ts';
import type { Answer } from './answers.ts';
import type { Channel, Context } from './channel.ts';
import type { CheckedAddress } from './outside-address.ts';
import { REFUSALS, checkAddress, hostAndPort } from './outside-address.ts';
import type { OutsideHttp, OutsideRequest } from './outside-http.ts';

/** What is stored of a destination, encrypted. */
export const httpTarget = z.object({
  address: z.string(),
  /** That sign webhooks, the newest first; during a rotation two. */
  secrets: z.array(z.string()).default([]),
  /** `Secrets` in the core. */
  olderUntil: z.number().nullable().default(null),
});
export type HttpTarget = z.output<typeof httpTarget>;

export type ParsedAddress = { ok: true; address: string } | { ok: false; copy: string };

/** A channel that is one POST: all that differs between them. */
export interface HttpChannel {
  /** Of what the user enters, and of what is stored, before each attempt. */
  parse: (text: string, allowed: readonly string[]) => ParsedAddress;
  request: (target: HttpTarget, message: Message, context: Context) => OutsideRequest;
  answer: Answer;
}

/** Deliveries at a time in one process, of each channel. */
const AT_ONCE = 50;

/** Sends by a channel through the guarded client. Failures are data. */
export function createHttpChannel(
  channel: HttpChannel,
  given: { outside: OutsideHttp; allowed: readonly string[] },
): Channel<HttpTarget> {
  return {
    target: httpTarget,
    atOnce: AT_ONCE,
    close: () => void given.outside.close(),
    async send(target, message, context) {
      const parsed = channel.parse(target.address, given.allowed);
      if (!parsed.ok) return { ok: false, error: 'refused: address', copy: parsed.copy, isPermanent: true };
      const request = channel.request({ ...target, address: parsed.address }, message, context);
      const result = await given.outside.post(request);
      if (result.ok) return channel.answer(result, context.now);
      const { error, copy, isRefused } = result;
      return { ok: false, error, copy, isPermanent: isRefused };
    },
  };
}

/**
 * For a service that has its addresses at its own hosts.
 * @param given.hosts a leading dot: any host below it
 */
export function fixedHosts(given: {
  hosts: readonly string[];
  path: RegExp;
  copy: string;
}): HttpChannel['parse'] {
  return (text, allowed) => {
    const checked: CheckedAddress = checkAddress(text.trim(), allowed);
    if (!checked.ok)
      return { ok: false, copy: checked.refusal === 'text' ? given.copy : REFUSALS[checked.refusal] };
    const { url } = checked;
    const isHost = given.hosts.some((host) =>
      host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host,
    );
    const isKnown = isHost || allowed.includes(hostAndPort(url));
    return isKnown && given.path.test(url.pathname)
      ? { ok: true, address: url.href }
      : { ok: false, copy: given.copy };
  };
}

export function postJson(url: string, body: string, headers: Record<string, string> = {}): OutsideRequest {
  return {
    url,
    headers: { 'content-type': 'application/json', 'user-agent': 'SmartPause', ...headers },
    body,
  };
}
