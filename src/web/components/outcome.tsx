import { Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { seconds } from '#core/time.ts';
import { CallError } from '../lib/api-client.ts';
import { CheckMark } from './icons.tsx';

interface OutcomeProps {
  mutation: {
    status: 'idle' | 'pending' | 'success' | 'error';
    error: Error | null;
    reset: () => void;
  };
  done: string;
  failed: string;
  /** What to do after a failure without a known reason. */
  advice?: string;
  /** A success stays and takes the focus from the button: the user is about to leave. */
  staysDone?: boolean;
}

const SHOWN_MS = { success: seconds(3), error: seconds(5) };

const takeFocus = (outcome: HTMLElement | null) => outcome?.focus();

/** The outcome of an action, which disappears by itself. */
export function Outcome({
  mutation: { status, error, reset },
  done,
  failed,
  advice,
  staysDone = false,
}: OutcomeProps) {
  useEffect(() => {
    if (status === 'idle' || status === 'pending' || (staysDone && status === 'success')) return;
    const timer = setTimeout(reset, SHOWN_MS[status]);
    return () => clearTimeout(timer);
  }, [status, staysDone, reset]);
  if (status === 'idle' || status === 'pending') return null;
  const reason = error instanceof CallError && error.code !== 'SERVER_ERROR' ? error.reason : null;
  const isDone = status === 'success';
  const more = isDone ? undefined : (reason ?? advice);
  return (
    <Group
      role={isDone ? 'status' : 'alert'}
      gap={6}
      wrap="nowrap"
      fz={13}
      lh={1.35}
      tabIndex={-1}
      ref={staysDone && isDone ? takeFocus : null}
    >
      {isDone && <CheckMark />}
      <div>
        <Text inherit fw={600} c={isDone ? 'var(--status-up)' : 'var(--mantine-color-error)'}>
          {isDone ? done : failed}
        </Text>
        {more}
      </div>
    </Group>
  );
}
