import type { OpenApi, Operation } from './types.ts';

const REFUSAL = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } };
const refused = (description: string) => ({ description, content: REFUSAL });
const text = { type: 'string' };
const tags = ['Others'];
const isTrue = (name: string) => ({
  'application/json': {
    schema: { type: 'object', properties: { [name]: { const: true } }, required: [name] },
  },
});
const busy = {
  '429': refused('`TOO_MANY_REQUESTS`: come back after `Retry-After` seconds.'),
  '503': refused('`TRY_LATER`: come back after `Retry-After` seconds.'),
};
const signed: Pick<Operation, 'tags' | 'security' | 'requestBody'> = {
  tags,
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          properties: { signed_request: { type: 'string', minLength: 1, maxLength: 8192 } },
          required: ['signed_request'],
        },
      },
    },
  },
};
const dialog = { description: "To Meta's dialog, or back to the page that asked.", headers: {} };

/** What does not belong to the contract between page and server: doors for streams, other services, and watchers. */
export const OTHER_PATHS: OpenApi['paths'] = {
  '/api/events': {
    get: {
      operationId: 'events',
      tags,
      summary: 'Server-sent events that name the topic of each change. At most 20 streams per user.',
      security: [{ session: [] }],
      responses: {
        '200': { description: 'Events without end.', content: { 'text/event-stream': { schema: text } } },
        '401': refused('`UNAUTHENTICATED`'),
        '429': refused('`TOO_MANY_REQUESTS`: too many streams are open, or were opened.'),
      },
    },
  },
  '/api/openapi.json': {
    get: {
      operationId: 'openApi',
      tags,
      summary: 'This document.',
      security: [],
      responses: {
        '200': {
          description: 'This document.',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
        '429': busy['429'],
      },
    },
  },
  '/auth/facebook': {
    get: {
      operationId: 'login',
      tags,
      summary: 'Begins a login: leads to the dialog of Meta.',
      security: [],
      parameters: [{ name: 'returnTo', in: 'query', required: false, schema: text }],
      responses: { '302': dialog, ...busy },
    },
  },
  '/auth/facebook/callback': {
    get: {
      operationId: 'loginReturns',
      tags,
      summary: 'Where the dialog comes back to.',
      security: [],
      parameters: ['state', 'code', 'error', 'error_code'].map((name) => ({
        name,
        in: 'query' as const,
        required: false,
        schema: text,
      })),
      responses: { '302': dialog, ...busy },
    },
  },
  '/auth/logout': {
    post: {
      operationId: 'logout',
      tags,
      summary: 'Ends the session.',
      security: [{ session: [] }],
      responses: { '204': { description: 'It has ended.' }, '401': refused('`UNAUTHENTICATED`'), ...busy },
    },
  },
  '/auth/facebook/deauthorize': {
    post: {
      operationId: 'deauthorizedAtMeta',
      summary: 'Meta tells that somebody has removed the app.',
      ...signed,
      responses: {
        '200': { description: 'Noted.', content: isTrue('success') },
        '400': refused('`INVALID_REQUEST`: not signed by Meta, or too old.'),
        ...busy,
      },
    },
  },
  '/auth/facebook/data-deletion': {
    post: {
      operationId: 'deletionAskedAtMeta',
      summary: 'Meta tells that somebody wants their data deleted.',
      ...signed,
      responses: {
        '200': {
          description: 'Begun.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { url: { type: 'string', format: 'uri' }, confirmation_code: text },
                required: ['url', 'confirmation_code'],
              },
            },
          },
        },
        '400': refused('`INVALID_REQUEST`: not signed by Meta, or too old.'),
        ...busy,
      },
    },
  },
  '/webhooks/stripe': {
    post: {
      operationId: 'stripeTells',
      tags,
      summary: 'Stripe tells what has happened there.',
      security: [],
      parameters: [{ name: 'stripe-signature', in: 'header', required: true, schema: text }],
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      responses: {
        '200': { description: 'Taken.', content: isTrue('received') },
        '400': refused('`INVALID_REQUEST`: not signed by Stripe, or too old.'),
        '502': refused('`BILLING_UNAVAILABLE`: Stripe is to try again.'),
        ...busy,
      },
    },
  },
  '/health': {
    get: {
      operationId: 'health',
      tags,
      summary: 'Whether the database answers.',
      security: [],
      responses: {
        '200': { description: 'It does.', content: isTrue('healthy') },
        '503': {
          description: 'It does not, or too slowly.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { healthy: { const: false }, database: { enum: ['slow', 'gone'] } },
                required: ['healthy', 'database'],
              },
            },
          },
        },
        '429': busy['429'],
      },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'ready',
      tags,
      summary: 'Whether people are to be sent to this process.',
      security: [],
      responses: {
        '200': { description: 'They are.', content: isTrue('isReady') },
        '503': { description: 'Not now.' },
        '429': busy['429'],
      },
    },
  },
  '/health/live': {
    get: {
      operationId: 'live',
      tags,
      summary: 'Whether this process is alive.',
      security: [],
      responses: { '200': { description: 'It is.', content: isTrue('alive') }, '429': busy['429'] },
    },
  },
};
