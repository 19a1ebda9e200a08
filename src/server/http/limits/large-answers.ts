import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/** In seconds. Nearly all exports take less time. */
const RETRY_AFTER = '5';

/** Limits concurrent large responses: a few in total, and one for each user until it is delivered. */
export class LargeAnswers {
  readonly #atOnce: number;
  readonly #users = new Set<string>();
  #working = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async take<T>(
    { userId, request, reply }: { userId: string; request: FastifyRequest; reply: FastifyReply },
    work: () => Promise<T>,
  ): Promise<T> {
    const { socket } = request.raw;
    // A client that disconnected while it waited needs no response.
    if (socket.destroyed || this.#users.has(userId) || this.#working >= this.#atOnce) {
      reply.header('retry-after', RETRY_AFTER);
      throw new Refusal('TOO_MANY_REQUESTS');
    }
    this.#users.add(userId);
    this.#working += 1;
    const end = (): void => {
      this.#users.delete(userId);
      reply.raw.off('close', end);
      socket.off('close', end);
    };
    reply.raw.once('close', end);
    // If the connection closes before the response starts, the response never emits 'close'.
    socket.once('close', end);
    try {
      return await work();
    } finally {
      this.#working -= 1;
    }
  }
}
