import type { PlatformStatus } from '#contract/shapes.ts';
import { relativeTime } from '#core/new-york.ts';
import { atTime } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { Muted } from '../../components/muted.ts';
import { Time } from '../../components/time.tsx';

/** 'since 9:10 PM EST · last checked just now'; omits the times that the server does not send. */
export function StatusTimes({ status: { since, checkedAt } }: { status: PlatformStatus }) {
  const now = useNow();
  const began = since == null ? null : Date.parse(since);
  const checked = checkedAt == null ? null : Date.parse(checkedAt);
  return (
    <span className="figures">
      {began !== null && <Time at={began}>since {atTime(began, now)}</Time>}
      {began !== null && checkedAt !== undefined && ' · '}
      {checkedAt === null && 'not checked yet'}
      {/* In minutes: the server checks more often than the page asks, so seconds would be too many. */}
      {checked !== null && (
        <Time at={checked} isRelative>
          last checked {relativeTime(checked, now)}
        </Time>
      )}
    </span>
  );
}

/** A quiet line when the level is UP; it keeps its space. */
export function QuietStatus({ status }: { status: PlatformStatus | null }) {
  const state =
    status?.isOverridden === true ? 'Set to Up by the SmartPause team' : 'Meta ad services are up';
  const hasTimes = status?.since != null || status?.checkedAt !== undefined;
  return (
    <Muted mih="1.55em" data-testid="quiet-status">
      {status !== null && state}
      {status !== null && hasTimes && ' · '}
      {status !== null && <StatusTimes status={status} />}
    </Muted>
  );
}
