import type { FastifyInstance } from 'fastify';
import { acceptedEncodings, sendDocument } from '../documents.ts';
import { openApiOf } from './openapi.ts';
import { NONCE_PLACE, referencePage } from './page.ts';

/** The contract, for programs and for people. Made once; it holds nothing that is anybody's own. */
export function serveReference(app: FastifyInstance, given: { publicUrl: string; version: string }): void {
  const document = openApiOf(given);
  const text = JSON.stringify(document);
  const page = referencePage(document).split(NONCE_PLACE);
  app.get('/api/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
  app.get('/api/docs', (request, reply) => sendDocument(reply, page, acceptedEncodings(request)));
}
