import { useEffect, useState } from 'react';
import { seconds } from '#core/time.ts';
import { CallError } from './api-client.ts';

/** The outcome of an action, with text for the user. */
export interface Outcome {
  ok: boolean;
  text: string;
  /** The server's own message, where it sent one. */
  reason: string | null;
}

const SHOWN_MS = { success: seconds(3), error: seconds(5) };

/** The outcome of the last action, which disappears by itself. */
export function useOutcome() {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), outcome.ok ? SHOWN_MS.success : SHOWN_MS.error);
    return () => clearTimeout(timer);
  }, [outcome]);
  const say = (news: { ok: boolean; text: string; error?: Error } | null) => {
    setOutcome(news && { ok: news.ok, text: news.text, reason: reasonOf(news.error) });
  };
  return [outcome, say] as const;
}

function reasonOf(error: Error | undefined): string | null {
  return error instanceof CallError && error.code !== 'SERVER_ERROR' ? error.reason : null;
}
