import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/** In seconds: hardly anybody's takes longer. */
const RETRY_AFTER = '5';

/** For work whose answers are large: few at a time in all, and one for each person until they have it. */
export class LargeAnswers {
  readonly #atOnce: number;
  readonly #people = new Set<string>();
  #working = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async take<T>(
    { personId, request, reply }: { personId: string; request: FastifyRequest; reply: FastifyReply },
    work: () => Promise<T>,
  ): Promise<T> {
    const { socket } = request.raw;
    // Whoever has left while others had their turn needs nothing any more.
    if (socket.destroyed || this.#people.has(personId) || this.#working >= this.#atOnce) {
      reply.header('retry-after', RETRY_AFTER);
      throw new Refusal('TOO_MANY_REQUESTS');
    }
    this.#people.add(personId);
    this.#working += 1;
    const end = (): void => {
      this.#people.delete(personId);
      reply.raw.off('close', end);
      socket.off('close', end);
    };
    reply.raw.once('close', end);
    // An answer whose connection ends before it is its turn there is never closed.
    socket.once('close', end);
    try {
      return await work();
    } finally {
      this.#working -= 1;
    }
  }
}
