import { z } from 'zod';
import type { Account } from '../account.ts';
import { newId } from '../ids.ts';
import type { WebhookEndpoint } from '../objects.ts';
import { limit, newest } from '../wire/lists.ts';
import { flag, text } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const events = z.array(text).min(1);
const created = z.strictObject({ api_version: text.optional(), enabled_events: events, url: z.url() });
const updated = z.strictObject({ disabled: flag, enabled_events: events });

export const webhookEndpointRoutes: Route[] = [
  route('POST', '/v1/webhook_endpoints', created, (params, { account }) => {
    const secret = newId('whsec');
    return { ...createEndpoint(account, params, secret), secret };
  }),
  route('GET', '/v1/webhook_endpoints', z.strictObject({ limit }), ({ limit: size }, { account, path }) => {
    const endpoints = [...account.webhooks].map(([id, { endpoint }]) => [id, endpoint] as const);
    return newest(new Map(endpoints), { size, path });
  }),
  route('POST', '/v1/webhook_endpoints/:id', updated, (params, { account, id }) =>
    Object.assign(find(account.webhooks, 'webhook endpoint', id).endpoint, {
      enabled_events: params.enabled_events,
      status: params.disabled ? 'disabled' : 'enabled',
    }),
  ),
];

/** The secret is shown once, in the response to the creation. */
export function createEndpoint(
  account: Account,
  params: z.infer<typeof created>,
  secret: string,
  isFromControl = false,
): WebhookEndpoint {
  const endpoint: WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: params.api_version ?? null,
    application: null,
    created: account.now(),
    description: null,
    enabled_events: params.enabled_events,
    livemode: false,
    metadata: {},
    status: 'enabled',
    url: params.url,
  };
  account.webhooks.set(endpoint.id, { endpoint, secret, isFromControl });
  return endpoint;
}
