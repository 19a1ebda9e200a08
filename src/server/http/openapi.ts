import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { webhookSchema } from '#contract/webhook-payload.ts';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import manifest from '../../../package.json' with { type: 'json' };

/** What users' own endpoints get. */
function notificationCall() {
  const header = (name: string, description: string) =>
    ({ name, in: 'header', required: true, description, schema: { type: 'string' } }) as const;
  return {
    summary: 'A notification, signed by Standard Webhooks',
    parameters: [
      header('webhook-id', 'The same at every attempt.'),
      header('webhook-timestamp', 'Of this attempt, in seconds.'),
      header('webhook-signature', 'One for each secret: two during a rotation.'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: webhookSchema() as object } } },
    responses: {
      '2XX': { description: 'Accepted. Any other answer is a failure, and the delivery is repeated.' },
      '410': { description: 'Nothing is sent there any more.' },
    },
  };
}

/** Serves the schemas of the routes that have a tag as an OpenAPI document. Before the routes, which it collects. */
export async function serveOpenApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'SmartPause', version: manifest.version },
      servers: [{ url: publicUrl }],
      webhooks: { notification: { post: notificationCall() } },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
    hideUntagged: true,
  });
  app.get('/api/openapi.json', (_request, reply) => reply.send(app.swagger()));
}
