import type { PlatformStatus } from '#contract/shapes.ts';
import { atTime, checkedCopy } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { Muted } from '../../components/muted.ts';
import { Time } from '../../components/time.tsx';

/** 'since 9:10 PM EST · last checked 12 s ago'. */
export function StatusTimes({ status }: { status: PlatformStatus }) {
  return (
    <span className="figures">
      <Times status={status} />
    </span>
  );
}

/** Omits the times that the server does not send. */
function Times({ status: { since, checkedAt } }: { status: PlatformStatus }) {
  const now = useNow();
  const began = since == null ? null : Date.parse(since);
  const checked = checkedAt == null ? null : Date.parse(checkedAt);
  return (
    <>
      {began !== null && <Time at={began}>since {atTime(began, now)}</Time>}
      {began !== null && checkedAt !== undefined && ' · '}
      {checkedAt === null && 'not checked yet'}
      {checked !== null && <Time at={checked}>{checkedCopy(checked, now)}</Time>}
    </>
  );
}

/** A quiet line when the level is UP; it keeps its space. */
export function QuietStatus({ status }: { status: PlatformStatus | null }) {
  const state =
    status?.isOverridden === true ? 'Set to Up by the SmartPause team' : 'Meta ad services are up';
  const hasTimes = status?.since != null || status?.checkedAt !== undefined;
  return (
    <Muted mih="1.55em" className="figures" data-testid="quiet-status">
      {status !== null && state}
      {status !== null && hasTimes && ' · '}
      {status !== null && <Times status={status} />}
    </Muted>
  );
}
