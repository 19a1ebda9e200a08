import { z } from 'zod';
import type { Account } from '../account.ts';
import { newestFirst } from '../account.ts';
import { newId } from '../ids.ts';
import type { WebhookEndpoint } from '../objects.ts';
import { page, paginate } from '../wire/lists.ts';
import { emptyable, flag, metadata, text, withMetadata } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const created = z.strictObject({
  api_version: text.optional(),
  connect: flag.optional(),
  description: emptyable(text).optional(),
  enabled_events: z.array(text).min(1),
  metadata: metadata.optional(),
  url: z.url(),
});
const updated = z.strictObject({
  description: emptyable(text).optional(),
  disabled: flag.optional(),
  enabled_events: z.array(text).min(1).optional(),
  metadata: metadata.optional(),
  url: z.url().optional(),
});
const listed = z.strictObject(page);

export const webhookEndpointRoutes: Route[] = [
  route('POST', '/v1/webhook_endpoints', created, (params, { account }) => {
    const secret = newId('whsec');
    return { ...createEndpoint(account, params, secret), secret };
  }),
  route('GET', '/v1/webhook_endpoints', listed, (asked, { account, path }) =>
    paginate(newestFirst(account.webhookEndpoints), asked, path),
  ),
  route('GET', '/v1/webhook_endpoints/:id', z.strictObject({}), (_, { account, id }) =>
    endpointOf(account, id),
  ),
  route('POST', '/v1/webhook_endpoints/:id', updated, (params, { account, id }) => {
    const endpoint = endpointOf(account, id);
    return Object.assign(endpoint, {
      description: params.description === undefined ? endpoint.description : params.description,
      enabled_events: params.enabled_events ?? endpoint.enabled_events,
      metadata: withMetadata(endpoint.metadata, params.metadata),
      status: params.disabled === undefined ? endpoint.status : params.disabled ? 'disabled' : 'enabled',
      url: params.url ?? endpoint.url,
    });
  }),
  route('DELETE', '/v1/webhook_endpoints/:id', z.strictObject({}), (_, { account, id }) => {
    endpointOf(account, id);
    account.webhookEndpoints.delete(id);
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];

function endpointOf(account: Account, id: string): WebhookEndpoint {
  return find(account.webhookEndpoints, 'webhook endpoint', id);
}

/** The secret is told once, in the answer to the creation. */
export function createEndpoint(
  account: Account,
  params: z.infer<typeof created>,
  secret: string,
): WebhookEndpoint {
  const endpoint: WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: params.api_version ?? null,
    application: null,
    created: account.now(),
    description: params.description ?? null,
    enabled_events: params.enabled_events,
    livemode: false,
    metadata: withMetadata({}, params.metadata),
    status: 'enabled',
    url: params.url,
  };
  account.webhookEndpoints.set(endpoint.id, endpoint);
  account.webhookSecrets.set(endpoint.id, secret);
  return endpoint;
}
