import type { ReactNode } from 'react';
import type { PlatformStatus } from '#contract/shapes.ts';
import { relativeTime } from '#core/new-york.ts';
import { Dots } from '../../components/dots.tsx';
import { Muted } from '../../components/muted.ts';
import { Time } from '../../components/time.tsx';
import { atTime } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';

interface StatusTimesProps {
  status: PlatformStatus;
  /** What is said before and after the times. */
  before?: ReactNode;
  after?: ReactNode;
}

/** 'since 9:10 PM EST · last checked just now'; omits the times that the server does not send. */
export function StatusTimes({ status: { since, checkedAt }, before = null, after = null }: StatusTimesProps) {
  const now = useNow();
  const began = since == null ? null : Date.parse(since);
  const checked = checkedAt == null ? null : Date.parse(checkedAt);
  return (
    <Dots
      parts={[
        before,
        began !== null && <Time at={began}>since {atTime(began, now)}</Time>,
        checkedAt === null && 'not checked yet',
        // In minutes: the server checks more often than the page asks, so seconds would be too many.
        checked !== null && (
          <Time at={checked} isRelative>
            last checked {relativeTime(checked, now)}
          </Time>
        ),
        after,
      ]}
    />
  );
}

/** A quiet line when the level is UP; it keeps its space. */
export function QuietStatus({ status, after }: { status: PlatformStatus | null; after?: ReactNode }) {
  const state =
    status?.isOverridden === true
      ? 'Set to Up by the SmartPause team'
      : status?.warning === undefined
        ? 'Meta ad services are up'
        : 'Meta’s page still says up';
  return (
    <Muted fz={13} className="figures" mih="1.55em" data-testid="quiet-status">
      {status !== null && <StatusTimes status={status} before={state} after={after} />}
    </Muted>
  );
}
