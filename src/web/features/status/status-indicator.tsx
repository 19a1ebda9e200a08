import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { UserStatus } from '#contract/shapes.ts';
import { SUSPENDED } from '#core/app-state.ts';
import { LEVEL_WORDS, counted } from '#core/labels.ts';
import type { Level } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { ShownStatus } from './api.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import {
  UNREACHABLE,
  outagePollMs,
  statusText,
  useIsDisrupted,
  usePlatformStatus,
  userStatusQuery,
} from './api.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { warnInTab } from '../../lib/tab.ts';
import high from './favicon-high.svg';
import low from './favicon-low.svg';
import medium from './favicon-medium.svg';
import { StatusMark } from './status-mark.tsx';
import { StatusTimes } from './status-times.tsx';

/** The platform's status in the header; the tooltip has the details, the link the history. */
export function StatusIndicator() {
  const status = usePlatformStatus();
  // A server with only the fields of the specification may have no public page either.
  const hasPublicPage = useHasCapability('activity');
  if (status === null) return null;
  return (
    <Tooltip label={<StatusDetails status={status} />}>
      <UnstyledButton
        component="a"
        href={hasPublicPage ? '/status' : '/'}
        px="sm"
        h={32}
        display="flex"
        fz="sm"
        style={{
          alignItems: 'center',
          borderRadius: 999,
          border: '1px solid var(--mantine-color-default-border)',
        }}
      >
        <StatusMark
          level={status.status}
          prefix={
            <>
              Meta<VisuallyHidden> ad services:</VisuallyHidden>
            </>
          }
        />
      </UnstyledButton>
    </Tooltip>
  );
}

/** Message, since when, and last check. */
export function StatusDetails({ status }: { status: ShownStatus }) {
  return (
    <>
      {status.isUnreachable === true && <div>{UNREACHABLE}</div>}
      {status.message !== '' && <div>{status.message}</div>}
      <div>
        <StatusTimes status={status} before={status.isUnreachable !== true && LEVEL_WORDS[status.status]} />
      </div>
    </>
  );
}

/** Announces Meta's status to screen readers, and shows a disruption in the browser's tab. */
export function StatusAnnouncer() {
  const status = usePlatformStatus();
  useTabMark(status?.status ?? 'UNKNOWN');
  return (
    <>
      <VisuallyHidden role="status" aria-live="polite">
        {/* The notice of the connection announces itself. */}
        {status !== null && status.isUnreachable !== true && statusText(status)}
      </VisuallyHidden>
      <HoldAnnouncer />
    </>
  );
}

/** Announces pauses and resumes by SmartPause, on all pages: each text once, whatever the polls repeat. */
function HoldAnnouncer() {
  const isDisrupted = useIsDisrupted();
  const { data: user } = useQuery({
    ...userStatusQuery,
    enabled: ({ state }) => isDisrupted || isUnderWay(state.data),
    refetchInterval: outagePollMs,
  });
  const text = holdText(user, serverNow());
  const [last, setLast] = useState({ text, before: '' });
  if (text !== last.text) setLast({ text, before: last.text });
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text === '' && !['', UNPROTECTED].includes(last.before)
        ? 'SmartPause keeps no campaign paused any more.'
        : text}
    </VisuallyHidden>
  );
}

/** Campaigns are paused, or the counts are still those of a match. */
function isUnderWay({ heldCampaigns = 0, protectedRunning }: Partial<UserStatus> = {}): boolean {
  return heldCampaigns > 0 || protectedRunning !== undefined;
}

const UNPROTECTED = 'SmartPause protects none of your running campaigns.';

/** What the banners say of pauses and resumes; without the counts while they grow. Empty: nothing is known. */
export function holdText(user: UserStatus | undefined, now: Instant): string {
  const { heldCampaigns = 0, notYetPaused, protectedRunning, coverage = [] } = user ?? {};
  const { pauseRefused = 0, refusingAccounts = [], isSuspended, resumeAt } = user ?? {};
  const isAtRisk =
    protectedRunning === 0 && coverage.some(({ open, blocked }) => open.count + blocked.count > 0);
  if (isSuspended === true && (heldCampaigns > 0 || notYetPaused !== undefined || isAtRisk)) return SUSPENDED;
  if (notYetPaused !== undefined)
    return notYetPaused.because === null
      ? 'SmartPause is pausing campaigns.'
      : 'SmartPause is pausing campaigns, and waits for Meta.';
  const refuses =
    pauseRefused > 0
      ? `Meta refuses to pause ${counted(pauseRefused, 'campaign')}.`
      : refusingAccounts.length > 0
        ? `Meta refuses changes in ${counted(refusingAccounts.length, 'ad account')}.`
        : '';
  if (heldCampaigns > 0) {
    const isLate = resumeAt != null && Date.parse(resumeAt) <= now;
    const paused = counted(heldCampaigns, 'campaign');
    const held = isLate ? 'SmartPause is resuming campaigns.' : `SmartPause has paused ${paused}.`;
    return `${held} ${refuses}`.trim();
  }
  return refuses || (isAtRisk ? UNPROTECTED : '');
}

const ICONS = { LOW_DISRUPTION: low, MEDIUM_DISRUPTION: medium, HIGH_DISRUPTION: high };

function useTabMark(level: Level): void {
  useEffect(() => {
    if (level === 'UP' || level === 'UNKNOWN') return;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    const before = icon?.getAttribute('href') ?? '';
    warnInTab(LEVEL_WORDS[level]);
    icon?.setAttribute('href', ICONS[level]);
    return () => {
      warnInTab(null);
      icon?.setAttribute('href', before);
    };
  }, [level]);
}
