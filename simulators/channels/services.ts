import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { HttpAnswer, SimRequest } from '../kit/http.ts';
import { json, parseJson } from '../kit/http.ts';
import {
  discordMessage,
  pagerDutyEvent,
  slackMessage,
  teamsMessage,
  webhookBody,
  webhookHeaders,
} from './schemas.ts';

/** What a request is checked with. */
export interface Known {
  /** That sign webhooks; none: signatures are not checked. */
  secrets: readonly string[];
  now: number;
}

/** A service that receives messages: its addresses, and its answers in its own words. */
interface Service {
  path: RegExp;
  /** What is wrong; null: nothing. */
  check: (request: SimRequest, known: Known) => string | null;
  accepts: (body: unknown) => HttpAnswer;
  refuses: (problem: string) => HttpAnswer;
  /** The address was deleted. */
  gone: HttpAnswer;
  limited: HttpAnswer;
}

const plain = (status: number, body: string): HttpAnswer => ({ status, body });
const empty = (status: number): HttpAnswer => plain(status, '');

const bySchema =
  (schema: z.ZodType) =>
  (request: SimRequest): string | null => {
    if (request.headers['content-type'] !== 'application/json') return 'no application/json';
    const { error } = schema.safeParse(parseJson(request.body));
    return error === undefined ? null : z.prettifyError(error);
  };

const TOLERANCE_MS = 5 * 60_000;

function checkSignature({ headers, body }: SimRequest, { secrets, now }: Known): string | null {
  const { success, data, error } = webhookHeaders.safeParse(headers);
  if (!success) return z.prettifyError(error);
  const at = Number(data['webhook-timestamp']) * 1000;
  if (Math.abs(at - now) > TOLERANCE_MS) return 'the timestamp is more than five minutes from now';
  const given = data['webhook-signature'].split(' ');
  const own = secrets.map((secret) => new Webhook(secret).sign(data['webhook-id'], new Date(at), body));
  return own.length === 0 || own.some((one) => given.includes(one)) ? null : 'no signature matches';
}

export const SERVICES = {
  slack: {
    path: /^\/services\/[\w-]+\/[\w-]+\/[\w-]+$/,
    check: bySchema(slackMessage),
    accepts: () => plain(200, 'ok'),
    refuses: () => plain(400, 'invalid_blocks'),
    gone: plain(404, 'no_service'),
    limited: plain(429, 'rate_limited'),
  },
  teams: {
    path: /\/workflows\/[^/]+\/triggers\/[^/]+\/paths\/invoke$/,
    check: bySchema(teamsMessage),
    accepts: () => empty(202),
    refuses: (problem) => json(400, { error: { code: 'InvalidRequestContent', message: problem } }),
    gone: json(404, { error: { code: 'WorkflowNotFound', message: 'The workflow could not be found.' } }),
    limited: json(429, { error: { code: 'TooManyRequests', message: 'Rate limit is exceeded.' } }),
  },
  discord: {
    path: /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+$/,
    check: bySchema(discordMessage),
    accepts: () => empty(204),
    refuses: (problem) => json(400, { code: 50_035, message: 'Invalid Form Body', errors: { problem } }),
    gone: json(404, { code: 10_015, message: 'Unknown Webhook' }),
    limited: json(429, { message: 'You are being rate limited.', retry_after: 1, global: false }),
  },
  pagerduty: {
    path: /^\/v2\/enqueue$/,
    check: bySchema(pagerDutyEvent),
    accepts: (body) => {
      const { dedup_key } = pagerDutyEvent.parse(body);
      return json(202, { status: 'success', message: 'Event processed', dedup_key });
    },
    refuses: (problem) => invalidEvent(problem),
    gone: invalidEvent('Invalid routing key'),
    limited: json(429, { status: 'throttle exceeded', message: 'Requests for this service are limited' }),
  },
  webhook: {
    path: /^\/hooks\//,
    check: (request, known) => checkSignature(request, known) ?? bySchema(webhookBody)(request),
    accepts: () => empty(204),
    refuses: (problem) => json(400, { error: problem }),
    gone: empty(410),
    limited: empty(429),
  },
} satisfies Record<string, Service>;
export type ServiceName = keyof typeof SERVICES;

export function serviceAt(path: string): [name: ServiceName, service: Service] | null {
  const found = Object.entries<Service>(SERVICES).find(([, one]) => one.path.test(path));
  return found === undefined ? null : [found[0] as ServiceName, found[1]];
}

function invalidEvent(problem: string): HttpAnswer {
  return json(400, { status: 'invalid event', message: 'Event object is invalid', errors: [problem] });
}
