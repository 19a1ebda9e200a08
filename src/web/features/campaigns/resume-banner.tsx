import { Alert, Text } from '@mantine/core';
import type { UserStatus } from '#contract/shapes.ts';
import { counted, namesLabel } from '#core/labels.ts';
import { Time } from '../../components/time.tsx';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { atTime, timeUntil } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { ResumeNowButton } from './all-accounts-buttons.tsx';
import { ShowThem } from './list-links.tsx';
import { delayCopy, isDelayed } from './outage-copy.ts';
import { Reconnect } from './status-banner.tsx';

/** How many campaigns resume where and when, and what delays it. A server of the specification sends no counts. */
export function ResumeBanner({ user, resumeAt }: { user: UserStatus; resumeAt: number }) {
  const now = useNow();
  const { heldCampaigns = 0, heldAccounts = [] } = user;
  const hasHeld = heldCampaigns > 0 && heldAccounts.length > 0;
  return (
    <Alert ref={leaveFocusToList} role="note" color="blue" title="SmartPause Resume Scheduled">
      <Text span inherit className="figures">
        Resume scheduled for <Time at={resumeAt}>{atTime(resumeAt, now)}</Time>
      </Text>
      <Text span inherit>
        {' '}
        · {timeUntil(resumeAt, now)}
      </Text>
      {hasHeld && (
        <Text inherit style={{ overflowWrap: 'anywhere' }}>
          {counted(heldCampaigns, 'campaign')} in {namesLabel(heldAccounts)} <ShowThem user={user} />
        </Text>
      )}
      {delayCopy(heldAccounts).map((sentence) => (
        <Text key={sentence} inherit fw={600} style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      ))}
      {heldAccounts.some(({ delayedBy }) => delayedBy === 'login') && <Reconnect />}
      {hasHeld && !heldAccounts.every(isDelayed) && <ResumeNowButton accounts={heldAccounts} />}
    </Alert>
  );
}
