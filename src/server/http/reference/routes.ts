import type { FastifyInstance } from 'fastify';
import { openApiOf } from './openapi.ts';

/** Serves the contract as an OpenAPI document. It contains no user data. */
export function serveOpenApi(app: FastifyInstance, given: { publicUrl: string; version: string }): void {
  const text = JSON.stringify(openApiOf(given));
  app.get('/api/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
}
