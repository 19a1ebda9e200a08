export interface ListenOptions {
  /** A plain name: it becomes a part of the statement. */
  channel: string;
  onMessage: (payload: string) => void;
  /** For a while nobody listened: anything may have been said meanwhile. */
  onGap: () => void;
}

export interface Listening {
  close(): Promise<void>;
}
