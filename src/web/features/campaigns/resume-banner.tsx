import { Alert, Text } from '@mantine/core';
import type { UserStatus } from '#contract/shapes.ts';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { atTime, timeUntil } from '../../lib/times.ts';
import { ShowThem } from './list-links.tsx';
import { delayCopy, heldLabel, isDelayed } from './held-copy.ts';
import { leaveFocusToList } from './leave-focus.ts';
import { Reconnect } from './reconnect.tsx';
import { ResumeNowButton } from './resume-now-button.tsx';

interface ResumeBannerProps {
  user: UserStatus;
  resumeAt: number;
}

/** How many campaigns resume where and when, and what delays it. */
export function ResumeBanner({ user, resumeAt }: ResumeBannerProps) {
  const now = useNow();
  const held = heldLabel(user);
  const { heldAccounts = [] } = user;
  return (
    <Alert ref={leaveFocusToList} role="note" color="blue" title="SmartPause Resume Scheduled">
      <Text span inherit className="figures">
        Resume scheduled for <Time at={resumeAt}>{atTime(resumeAt, now)}</Time>
      </Text>
      <Text span inherit>
        {' '}
        · {timeUntil(resumeAt, now)}
      </Text>
      {held !== null && (
        <Text inherit style={{ overflowWrap: 'anywhere' }}>
          {held} <ShowThem user={user} />
        </Text>
      )}
      {delayCopy(heldAccounts).map((sentence) => (
        <Text key={sentence} inherit fw={600} style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      ))}
      {heldAccounts.some(({ delayedBy }) => delayedBy === 'login') && <Reconnect />}
      {held !== null && !heldAccounts.every(isDelayed) && <ResumeNowButton accounts={heldAccounts} />}
    </Alert>
  );
}
