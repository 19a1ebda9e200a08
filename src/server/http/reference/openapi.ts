import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { ApiName } from '#contract/api.ts';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/errors.ts';
import { REFUSALS, errorEnvelope } from '#contract/errors.ts';
import * as shapes from '#contract/shapes.ts';
import { UNUSED_SESSION_DAYS } from '#core/periods.ts';
import { OTHER_PATHS } from './other-paths.ts';
import type { OpenApi, Operation, Schema } from './types.ts';
import { CALL_WORDS, CHAPTERS } from './descriptions.ts';

/** Schemas that become named components. */
const NAMED = z.registry<{ id: string }>();
NAMED.add(errorEnvelope, { id: 'Refusal' });
NAMED.add(shapes.user, { id: 'User' });
NAMED.add(shapes.platformStatus, { id: 'PlatformStatus' });
NAMED.add(shapes.userStatus, { id: 'UserStatus' });
NAMED.add(shapes.adAccount, { id: 'AdAccount' });
NAMED.add(shapes.campaign, { id: 'Campaign' });
NAMED.add(shapes.lastKnown, { id: 'LastKnown' });
NAMED.add(shapes.subscription, { id: 'Subscription' });
NAMED.add(shapes.subscriptionState, { id: 'SubscriptionState' });
NAMED.add(shapes.deletionStatus, { id: 'DeletionStatus' });

const COMPONENTS = '#/components/schemas/';

/** Serves the contract as an OpenAPI document. It contains no user data. */
export function serveOpenApi(app: FastifyInstance, given: { publicUrl: string; version: string }): void {
  const text = JSON.stringify(openApiOf(given));
  app.get('/api/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
}

/** Derives the OpenAPI document from the contract that the server runs on. */
export function openApiOf({ publicUrl, version }: { publicUrl: string; version: string }): OpenApi {
  const schemas: Record<string, Schema> = {};
  const schemaOf = (shape: z.ZodMiniType, io: 'input' | 'output'): Schema => {
    const whole = z.toJSONSchema(shape, { io, metadata: NAMED, unrepresentable: 'any' });
    const { $defs = {}, ...schema } = renamed(whole);
    Object.assign(schemas, $defs);
    return schema;
  };
  const paths: OpenApi['paths'] = {};
  for (const name of Object.keys(api) as ApiName[]) {
    const endpoint: Endpoint = api[name];
    const operations = (paths[endpoint.path] ??= {});
    operations[endpoint.method === 'GET' ? 'get' : 'post'] = operationOf(name, endpoint, schemaOf);
  }
  schemaOf(errorEnvelope, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'SmartPause',
      version,
      description:
        'The calls between the pages of SmartPause and its server. Times are in UTC. Unknown fields of a request are ignored; answers may ' +
        'get new fields.',
    },
    servers: [{ url: publicUrl }],
    tags: [...CHAPTERS, 'Others'].map((chapter) => ({ name: chapter })),
    paths: { ...paths, ...OTHER_PATHS },
    components: {
      schemas,
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          description: `The session token from the login. It expires after ${UNUSED_SESSION_DAYS} days without use, or when the session is ended.`,
        },
      },
    },
  };
}

function operationOf(
  name: ApiName,
  endpoint: Endpoint,
  schemaOf: (shape: z.ZodMiniType, io: 'input' | 'output') => Schema,
): Operation {
  const { chapter, summary } = CALL_WORDS[name];
  const { params, query, body } = endpoint;
  const parameters = [
    ...parametersOf('path', params === undefined ? {} : schemaOf(params, 'input')),
    ...parametersOf('query', query === undefined ? {} : schemaOf(query, 'input')),
  ];
  const reply = schemaOf(endpoint.reply, 'output');
  return {
    operationId: name,
    tags: [chapter],
    summary,
    security: endpoint.access === 'public' ? [] : [{ session: [] }],
    ...(endpoint.access === 'admin' && { description: 'For administrators only.' }),
    parameters,
    ...(body !== undefined && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: schemaOf(body, 'input') } },
      },
    }),
    responses: {
      '200': { description: 'Done.', content: { 'application/json': { schema: reply } } },
      ...refusalsOf(codesOf(name, endpoint, parameters.length > 0)),
    },
  };
}

function parametersOf(place: 'path' | 'query', { properties = {}, required = [] }: Schema) {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }));
}

/** Every error code that the call can return. */
function codesOf(name: ApiName, { access, body }: Endpoint, hasParams: boolean): RefusalCode[] {
  return [
    ...(body !== undefined || hasParams ? (['INVALID_REQUEST'] as const) : []),
    ...(access === 'public' ? [] : (['UNAUTHENTICATED'] as const)),
    ...(access === 'admin' ? (['ADMIN_REQUIRED'] as const) : []),
    ...(CALL_WORDS[name].refusals ?? []),
    ...(body === undefined ? [] : (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    'TOO_MANY_REQUESTS',
    'SERVER_ERROR',
    'TRY_LATER',
  ];
}

function refusalsOf(codes: readonly RefusalCode[]): Operation['responses'] {
  const byStatus = Map.groupBy(codes, (code) => REFUSALS[code].status);
  const statuses = [...byStatus].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, some]) => [
      String(status),
      {
        description: [...new Set(some)].map((code) => `\`${code}\`: ${REFUSALS[code].message}`).join('\n\n'),
        ...([429, 503].includes(status) && {
          headers: {
            'Retry-After': { description: 'In how many seconds to come back.', schema: { type: 'integer' } },
          },
        }),
        content: { 'application/json': { schema: { $ref: `${COMPONENTS}Refusal` } } },
      },
    ]),
  );
}

/**
 * Moves nested definitions to the components of the document, and removes the id, which is their key there.
 */
function renamed(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  );
  return JSON.parse(text.replaceAll('"#/$defs/', `"${COMPONENTS}`)) as Schema;
}
