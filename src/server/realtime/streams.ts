import type { Topic } from '#contract/live-updates.ts';
import { isAdmin } from '#core/roles.ts';
import { seconds } from '#core/time.ts';

export interface Stream {
  userId: string;
  sessionId: string;
  roles: readonly string[];
  response: {
    readonly writableLength: number;
    write(text: string): unknown;
    end(): unknown;
    destroy(): unknown;
  };
}

const MAX_PER_USER = 20;
/** Leaves connections for other requests; each stream costs memory. */
const MAX_STREAMS = 8_000;
/** A client with this much unread data counts as disconnected. */
const MAX_BUFFERED_BYTES = 64 * 1024;
const END_WITHIN_MS = seconds(1);

export class Streams {
  readonly #streams = new Set<Stream>();
  /** A message is about one user, and a process has thousands of streams. */
  readonly #byUser = new Map<string, Set<Stream>>();
  #isClosed = false;

  hasRoomFor(userId: string): boolean {
    return this.#streams.size < MAX_STREAMS && this.#of(userId).size < MAX_PER_USER;
  }

  /** @returns removes the stream; call it when the client disconnects */
  open(stream: Stream): () => void {
    this.#streams.add(stream);
    this.#byUser.set(stream.userId, this.#of(stream.userId).add(stream));
    if (this.#isClosed) this.#end(stream);
    return () => this.#remove(stream);
  }

  /** @param userId null for a topic that is not about one user */
  send(topic: Topic, userId: string | null): void {
    const text = `data: ${JSON.stringify({ topic })}\n\n`;
    for (const stream of userId === null ? this.#streams : this.#of(userId)) {
      if (topic !== 'activity' || isAdmin(stream.roles)) this.#write(stream, text);
    }
  }

  /** Keeps proxies from closing an idle connection. */
  sendHeartbeat(): void {
    for (const stream of this.#streams) this.#write(stream, ':\n\n');
  }

  has(userId: string): boolean {
    return this.#byUser.has(userId);
  }

  sessionIds(): string[] {
    return [...new Set([...this.#streams].map(({ sessionId }) => sessionId))];
  }

  /** Ends the checked sessions' streams that are no longer valid, and updates the roles of the others. */
  keepOnly(valid: ReadonlyMap<string, readonly string[]>, checked: readonly string[]): void {
    const over = new Set(checked.filter((id) => !valid.has(id)));
    for (const stream of this.#streams) {
      stream.roles = valid.get(stream.sessionId) ?? stream.roles;
      if (over.has(stream.sessionId)) this.#end(stream);
    }
  }

  endAll(): void {
    for (const stream of this.#streams) this.#end(stream);
  }

  /** Ends all streams, and each that is opened later. */
  close(): void {
    this.#isClosed = true;
    this.endAll();
  }

  #of(userId: string): Set<Stream> {
    return this.#byUser.get(userId) ?? new Set();
  }

  #remove(stream: Stream): void {
    this.#streams.delete(stream);
    const own = this.#byUser.get(stream.userId);
    own?.delete(stream);
    if (own?.size === 0) this.#byUser.delete(stream.userId);
  }

  #write(stream: Stream, text: string): void {
    if (stream.response.writableLength <= MAX_BUFFERED_BYTES) stream.response.write(text);
    else {
      this.#remove(stream);
      stream.response.destroy();
    }
  }

  #end(stream: Stream): void {
    this.#remove(stream);
    stream.response.end();
    // A client that does not read would keep its connection open and block the shutdown.
    setTimeout(() => stream.response.destroy(), END_WITHIN_MS).unref();
  }
}
