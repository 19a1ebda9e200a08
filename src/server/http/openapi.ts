import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import manifest from '../../../package.json' with { type: 'json' };

/** Serves the schemas of the routes that have a tag as an OpenAPI document. Before the routes, which it collects. */
export async function serveOpenApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'SmartPause', version: manifest.version },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
    hideUntagged: true,
  });
  app.get('/api/openapi.json', (_request, reply) => reply.send(app.swagger()));
}
