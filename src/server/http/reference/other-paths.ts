import type { OpenApi, Operation, Schema } from './types.ts';

/** Public unless `security` is given. */
function operation(
  operationId: string,
  summary: string,
  more: Pick<Operation, 'responses'> & Partial<Operation>,
): Operation {
  return { operationId, tags: ['Others'], summary, security: [], ...more };
}

const json = (schema: Schema) => ({ 'application/json': { schema } });
const objectOf = (properties: Record<string, Schema>) =>
  json({ type: 'object', properties, required: Object.keys(properties) });
const refused = (description: string) => ({
  description,
  content: json({ $ref: '#/components/schemas/Refusal' }),
});
const parameters = (place: 'query' | 'header', names: string[], required = false) =>
  names.map((name) => ({ name, in: place, required, schema: text }));

const text: Schema = { type: 'string' };
const isTrue: Schema = { const: true };
const security = [{ session: [] }];
const limited = { '429': refused('`TOO_MANY_REQUESTS`: come back after `Retry-After` seconds.') };
const busy = { ...limited, '503': refused('`TRY_LATER`: come back after `Retry-After` seconds.') };
const dialog = { description: "To Meta's dialog, or back to the page that asked.", headers: {} };
const unauthenticated = { '401': refused('`UNAUTHENTICATED`') };
const notByMeta = { '400': refused('`INVALID_REQUEST`: not signed by Meta, or too old.') };
const signedRequest: Schema = {
  type: 'object',
  properties: { signed_request: { type: 'string', minLength: 1, maxLength: 8192 } },
  required: ['signed_request'],
};
const signed: Pick<Operation, 'requestBody'> = {
  requestBody: {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: signedRequest } },
  },
};

/** Paths outside the API contract: event streams, callbacks of other services, health checks. */
export const OTHER_PATHS: OpenApi['paths'] = {
  '/api/events': {
    get: operation(
      'events',
      'Server-sent events that name the topic of each change. At most 20 streams per user.',
      {
        security,
        responses: {
          '200': { description: 'Events without end.', content: { 'text/event-stream': { schema: text } } },
          ...unauthenticated,
          '429': refused('`TOO_MANY_REQUESTS`: too many streams are open, or were opened.'),
        },
      },
    ),
  },
  '/api/openapi.json': {
    get: operation('openApi', 'This document.', {
      responses: { '200': { description: 'This document.', content: json({ type: 'object' }) }, ...limited },
    }),
  },
  '/auth/facebook': {
    get: operation('login', 'Begins a login: leads to the dialog of Meta.', {
      parameters: parameters('query', ['returnTo']),
      responses: { '302': dialog, ...busy },
    }),
  },
  '/auth/facebook/callback': {
    get: operation('loginReturns', 'Where the dialog comes back to.', {
      parameters: parameters('query', ['state', 'code', 'error', 'error_code']),
      responses: { '302': dialog, ...busy },
    }),
  },
  '/auth/logout': {
    post: operation('logout', 'Ends the session.', {
      security,
      responses: { '204': { description: 'It has ended.' }, ...unauthenticated, ...busy },
    }),
  },
  '/auth/facebook/deauthorize': {
    post: operation('deauthorizedAtMeta', 'Meta reports that a user removed the app.', {
      ...signed,
      responses: {
        '200': { description: 'Noted.', content: objectOf({ success: isTrue }) },
        ...notByMeta,
        ...busy,
      },
    }),
  },
  '/auth/facebook/data-deletion': {
    post: operation('deletionAskedAtMeta', 'Meta reports that a user requested the deletion of their data.', {
      ...signed,
      responses: {
        '200': {
          description: 'Begun.',
          content: objectOf({ url: { type: 'string', format: 'uri' }, confirmation_code: text }),
        },
        ...notByMeta,
        ...busy,
      },
    }),
  },
  '/webhooks/stripe': {
    post: operation('stripeTells', 'Stripe tells what has happened there.', {
      parameters: parameters('header', ['stripe-signature'], true),
      requestBody: { required: true, content: json({ type: 'object' }) },
      responses: {
        '200': { description: 'Taken.', content: objectOf({ received: isTrue }) },
        '400': refused('`INVALID_REQUEST`: not signed by Stripe, or too old.'),
        '502': refused('`BILLING_UNAVAILABLE`: Stripe is to try again.'),
        ...busy,
      },
    }),
  },
  '/health': {
    get: operation('health', 'Whether the database answers.', {
      responses: {
        '200': { description: 'It does.', content: objectOf({ healthy: isTrue }) },
        '503': {
          description: 'It does not, or too slowly.',
          content: objectOf({ healthy: { const: false }, database: { enum: ['slow', 'gone'] } }),
        },
        ...limited,
      },
    }),
  },
  '/health/ready': {
    get: operation('ready', 'Whether this process is ready for requests.', {
      responses: {
        '200': { description: 'They are.', content: objectOf({ isReady: isTrue }) },
        '503': { description: 'Not now.' },
        ...limited,
      },
    }),
  },
  '/health/live': {
    get: operation('live', 'Whether this process is alive.', {
      responses: { '200': { description: 'It is.', content: objectOf({ alive: isTrue }) }, ...limited },
    }),
  },
};
