import { Alert, Anchor, Box, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { LEVEL_WORDS, counted } from '#core/labels.ts';
import { BannerLink } from '../../components/links.ts';
import { Time } from '../../components/time.tsx';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { loginAddress } from '../../lib/return-to.ts';
import { atTime, timeUntil } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { useReturnTo } from '../auth/use-return-to.ts';
import { afterTrialCopy } from '../billing/plan-copy.ts';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { usePlatformStatus, useUserStatus } from '../status/api.ts';
import { StatusShape } from '../status/status-mark.tsx';
import { QuietStatus, StatusTimes } from '../status/status-times.tsx';
import { ResumeNowButton, TurnOnAllButton } from './all-accounts-buttons.tsx';
import { isMatched } from './campaign-view.ts';
import { ChooseCampaigns, ShowThem } from './list-links.tsx';
import { NotLoaded } from './notices.tsx';
import { delayCopy, isDelayed, outageCopy, scheduledCopy } from './outage-copy.ts';

/** The banners that matter now; a quiet line when the level is UP. */
export function Banners({ isInitialized }: { isInitialized: boolean }) {
  const { data: user } = useUserStatus();
  return (
    <Stack gap="sm">
      <Status isInitialized={isInitialized} />
      {user?.resumeAt != null && <ResumeBanner user={user} resumeAt={Date.parse(user.resumeAt)} />}
      <TrialBanner />
    </Stack>
  );
}

/** While our server is unreachable, the notice above every page says so: the banner only keeps its space. */
function Status({ isInitialized }: { isInitialized: boolean }) {
  const now = usePlatformStatus();
  const isUnreachable = now?.isUnreachable === true;
  const [last, setLast] = useState<PlatformStatus | null>(null);
  if (!isUnreachable && now !== last) setLast(now);
  const status = isUnreachable ? last : now;
  return (
    <Box {...(isUnreachable && { style: { visibility: 'hidden' } })}>
      {status === null || status.status === 'UP' ? (
        <QuietStatus status={status} />
      ) : (
        <StatusBanner status={status} isInitialized={isInitialized} />
      )}
    </Box>
  );
}

/** What it means for the user's campaigns. That depends on the settings, so no banner is shown without them. */
function StatusBanner({ status, isInitialized }: { status: PlatformStatus; isInitialized: boolean }) {
  const query = useUserStatus();
  const { access } = useUser();
  const hasActivity = useHasCapability('activity');
  const { data: user } = query;
  if (user === undefined && status.status !== 'UNKNOWN') {
    if (!hasFailed(query)) return <Skeleton h={96} data-testid="banner-placeholder" />;
    return <NotLoaded text="Meta has a disruption, but your settings couldn’t be loaded." query={query} />;
  }
  const { title, color, text, offer } = outageCopy(status, user, access);
  const hasHeld = isMatched(status, user) || status.status === 'UNKNOWN';
  return (
    <Alert role="note" color={color} title={title} icon={<StatusShape level={status.status} size={18} />}>
      <div>
        {text} {offer === 'reconnect' && <Reconnect />} {hasHeld && <ShowThem user={user} />}
        {hasActivity && isMatched(status, user) && (
          <>
            {' · '}
            <BannerLink to="/activity/latest?result=not_paused#campaigns" display="inline-block">
              See what wasn’t paused, and why
            </BannerLink>
          </>
        )}
      </div>
      <Text fz="sm" mt={4} className="figures">
        {LEVEL_WORDS[status.status]} <StatusTimes status={status} />
        {statusSource(status)}
      </Text>
      {isInitialized && offer === 'choose' && (
        <Group ref={leaveFocusToList} gap="sm" mt="xs">
          {/* The checklist has the same button. */}
          {user?.hasChosenCampaigns !== false && <TurnOnAllButton />}
          <ChooseCampaigns />
        </Group>
      )}
    </Alert>
  );
}

/** Quotes Meta only with Meta's own text. */
function statusSource({ isOverridden, quote }: PlatformStatus): string | null {
  if (isOverridden === true) return ' · set by the SmartPause team';
  return quote === undefined ? null : ` · Meta says “${quote}”`;
}

/** Meta accepts our access again after a new login. */
function Reconnect() {
  return (
    <Anchor href={loginAddress(useReturnTo())} inherit c="inherit" fw={600} underline="always">
      Reconnect to Meta
    </Anchor>
  );
}

/** How many campaigns resume where and when, and what delays it. A server of the specification sends no counts. */
function ResumeBanner({ user, resumeAt }: { user: UserStatus; resumeAt: number }) {
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
          {scheduledCopy(heldCampaigns, heldAccounts)} <ShowThem user={user} />
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

function TrialBanner() {
  const { subscription, trialDaysRemaining, isTrialExpiringSoon } = useSubscription();
  if (!isTrialExpiringSoon || subscription === null || trialDaysRemaining === null) return null;
  return (
    <Alert
      role="note"
      color="yellow"
      title={`Your trial ends soon: ${counted(trialDaysRemaining, 'day')} left`}
    >
      {afterTrialCopy(subscription)} <BannerLink to="/settings#billing">Go to Billing</BannerLink>
    </Alert>
  );
}
