import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BEING_READ } from '#contract/reply-tag.ts';

/** Sends the result with its tag, or 304 without a body if the page has it. A refresh of the list changes no tag. */
export function replyTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  result: { isBeingRead?: boolean },
): object {
  const { isBeingRead, ...content } = result;
  const hash = createHash('sha256').update(`${request.session.user.id} ${JSON.stringify(content)}`);
  // Weak: a proxy may compress the reply.
  const tag = `W/"${hash.digest('base64url')}"`;
  void reply.header('etag', tag);
  if (isBeingRead === true) void reply.header(BEING_READ, 'true');
  return request.headers['if-none-match'] === tag ? reply.status(304).send() : result;
}
