import { useEffect, useState } from 'react';
import { seconds } from '#core/time.ts';
import { CallError } from '../api/call.ts';

/** How an action ended, in words for the person. */
export interface Outcome {
  ok: boolean;
  text: string;
  /** The server's own sentence, where it gave one. */
  reason: string | null;
}

const SHOWN_MS = { success: seconds(3), error: seconds(5) };

/** The last action's outcome, which goes away by itself. */
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
