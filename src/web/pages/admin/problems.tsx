import { Card, Group, Skeleton, Text, Title } from '@mantine/core';
import type { RefObject } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Problem, Problems as Found, RetryBody } from '#contract/admin.ts';
import type { Instant } from '#core/time.ts';
import { useRetry } from '../../api/admin-queries.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { CheckMark } from '../../components/check-mark.tsx';
import { sayDone, sayFailure } from '../../notices.ts';
import { atTime } from '../../text/times.ts';
import { useNow } from '../../hooks/use-now.ts';
import classes from './admin.module.css';
import { LastError } from './held.tsx';
import { isRetried, problemFacts, problemName, problemCopy } from './problem-copy.ts';
import { ShowMore } from './show-more.tsx';
import { useQuestion } from './use-question.tsx';
import { Muted } from '../../components/muted.ts';

/** A short list keeps the controls below in view. */
const SHOWN_AT_FIRST = 5;

export interface ProblemsProps {
  found: Found | undefined;
  /** Live users may be affected: a retry needs a confirmation. */
  asksFirst: boolean;
}

/** Every problem, with Retry where it helps. */
export function Problems({ found, asksFirst }: ProblemsProps) {
  const now = useNow();
  const heading = useRef<HTMLHeadingElement>(null);
  const { retry, pending, question } = useRetries(asksFirst, () => heading.current?.focus());
  const [showsAll, setShowsAll] = useState(false);
  const problems = found?.problems ?? [];
  const shown = showsAll ? problems : problems.slice(0, SHOWN_AT_FIRST);
  return (
    <Card component="section" padding={0} aria-labelledby="problems" aria-busy={found === undefined}>
      <div className={classes.head}>
        <Title order={2} fz="lg" id="problems" ref={heading} tabIndex={-1}>
          System health
        </Title>
        <Muted mt={4} role="status" component="div">
          {found === undefined ? (
            <Skeleton h={22} data-testid="problems-placeholder" />
          ) : problems.length === 0 ? (
            <Group gap={8}>
              <CheckMark /> All systems normal
            </Group>
          ) : found.hasMore ? (
            'This list shows only some of the problems. The metrics count them all.'
          ) : (
            'SmartPause retries automatically, except for emails that were not sent.'
          )}
        </Muted>
      </div>
      <ul className={classes.rows}>
        {shown.map((problem) => (
          <Row key={`${problem.part} ${problem.id ?? ''}`} {...{ problem, now, retry, pending, heading }} />
        ))}
      </ul>
      {problems.length > SHOWN_AT_FIRST && (
        <ShowMore showsAll={showsAll} count={problems.length} onChange={setShowsAll} />
      )}
      {question}
    </Card>
  );
}

interface RowProps {
  problem: Problem;
  now: Instant;
  retry: (body: RetryBody, name: string) => void;
  pending: RetryBody | null;
  /** Takes the focus when the focused row disappears with its problem. */
  heading: RefObject<HTMLElement | null>;
}

function Row({ problem, now, retry, pending, heading }: RowProps) {
  const { part, id, users, accountId, lastError, blockedUntil } = problem;
  const { what, then } = problemCopy(part);
  const name = problemName(problem);
  const row = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const [own, next] = [row.current, heading.current];
    return () => {
      if (own?.contains(document.activeElement) === true) next?.focus();
    };
  }, [heading]);
  const whom = [...users.map((one) => `${one.name} (user ${one.id})`), accountId === name ? null : accountId];
  return (
    <li ref={row} className={`${classes.row ?? ''} ${classes.problem ?? ''}`}>
      <div className={classes.cell}>
        <Text fz="sm" fw={600}>
          {what}
        </Text>
        <Muted>{then}</Muted>
      </div>
      <div className={classes.cell}>
        <Text fz="sm">{[name, ...whom].filter(Boolean).join(', ')}</Text>
        <Muted className="figures">{problemFacts(problem, now)}</Muted>
        <LastError error={lastError} />
      </div>
      <div className={classes.cell}>
        {isRetried(part) && id !== null && blockedUntil === null && (
          <BusyButton
            variant="default"
            size="xs"
            aria-label={`Retry: ${name}`}
            isBusy={pending?.part === part && pending.id === id}
            isInert={pending !== null}
            onClick={() => retry({ part, id }, name)}
          >
            Retry
          </BusyButton>
        )}
      </div>
    </li>
  );
}

function useRetries(asksFirst: boolean, onGone: () => void) {
  const change = useRetry();
  const { ask, close, question } = useQuestion(asksFirst, change.isPending, onGone);
  const execute = (body: RetryBody) =>
    change.mutate(body, {
      onSuccess: ({ isDue, blockedUntil }) => {
        const limited =
          blockedUntil !== null &&
          `Meta’s rate limit blocks it until ${atTime(Date.parse(blockedUntil), Date.now())}.`;
        sayDone('Retry requested', limited || (isDue ? 'Retrying now.' : 'The problem is already resolved.'));
      },
      onError: (error) => sayFailure('Failed to retry', error),
      onSettled: close,
    });
  const retry = (body: RetryBody, name: string) =>
    ask({
      title: `Retry ${name}?`,
      consequence: 'SmartPause calls Meta or Stripe, or sends the email, for this user now.',
      label: 'Retry now',
      execute: () => execute(body),
    });
  return { retry, pending: change.isPending ? change.variables : null, question };
}
