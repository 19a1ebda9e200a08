import { Alert, Anchor, Box, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AdAccount, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { SUSPENDED } from '#core/app-state.ts';
import { checkoutState } from '#core/billing/subscription.ts';
import { LEVEL_WORDS, counted, namesLabel } from '#core/labels.ts';
import type { NotProtected } from '#core/smartpause/blockers.ts';
import { NOT_PROTECTED } from '#core/smartpause/blockers.ts';
import { BannerLink } from '../../components/links.ts';
import { Time } from '../../components/time.tsx';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { useAdAccounts } from '../../lib/queries.ts';
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
import { adsManagerAddress } from './ads-manager.ts';
import { isMatched } from './campaign-view.ts';
import { CAMPAIGNS_WITHOUT_ACCESS } from './list-address.ts';
import { ChooseCampaigns, ShowThem } from './list-links.tsx';
import { NotLoaded } from './notices.tsx';
import { delayCopy, isDelayed, lapsedCopy, outageCopy, scheduledCopy, shownAccounts } from './outage-copy.ts';

const Banner = Alert.withProps({ role: 'note', p: { base: 12, sm: 'md' } });

/** To an address that is not a page of the app. */
const OutsideLink = Anchor.withProps({ inherit: true, c: 'inherit', fw: 600, underline: 'always' });

const RESUME_TITLE = 'SmartPause Resume Scheduled';

/** The banners that matter now; a quiet line when the level is UP. */
export function Banners({ isInitialized }: { isInitialized: boolean }) {
  const { data: user } = useUserStatus();
  const { status, isUnreachable } = useLastStatus();
  const resumes = user?.resumeAt != null;
  return (
    <Stack gap="sm">
      <SuspendedBanner />
      {/* The notice above every page says that our server is unreachable: the banner only keeps its space. */}
      <Box {...(isUnreachable && { style: { visibility: 'hidden' } })}>
        {status === null || status.status === 'UP' ? (
          <QuietStatus status={status} />
        ) : (
          <StatusBanner status={status} isInitialized={isInitialized} />
        )}
      </Box>
      {resumes && (status === null || status.status === 'UP') && (
        <Banner color="blue" title={RESUME_TITLE}>
          <ScheduledResume user={user} />
        </Banner>
      )}
      <NotProtectedBanners />
      <TrialBanner />
    </Stack>
  );
}

/** The status, or the last one while our server is unreachable. */
function useLastStatus() {
  const now = usePlatformStatus();
  const isUnreachable = now?.isUnreachable === true;
  const [last, setLast] = useState<PlatformStatus | null>(null);
  if (!isUnreachable && now !== last) setLast(now);
  return { status: isUnreachable ? last : now, isUnreachable };
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
  const matched = isMatched(status, user);
  return (
    <Banner
      color={color}
      title={
        <Group gap={8} wrap="nowrap">
          <StatusShape level={status.status} size={18} />
          {title}
        </Group>
      }
    >
      <div>
        {text} {offer === 'reconnect' && <Reconnect />}{' '}
        {(matched || status.status === 'UNKNOWN') && <ShowThem user={user} />}
        {hasActivity && matched && <OutageLinks accounts={shownAccounts(user).length} />}
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
      {user?.resumeAt != null && (
        <Box mt="sm">
          <Text inherit fw={700}>
            {RESUME_TITLE}
          </Text>
          <ScheduledResume user={user} />
        </Box>
      )}
    </Banner>
  );
}

/** @param props.accounts how many have paused campaigns; 'Show them' names only one */
function OutageLinks({ accounts }: { accounts: number }) {
  return (
    <>
      {accounts > 1 && (
        <>
          {' · '}
          <BannerLink to="/activity">See all outages</BannerLink>
        </>
      )}
      {accounts > 0 && ' · '}
      <BannerLink to="/activity/latest?result=not_paused#campaigns" display="inline-block">
        See what wasn’t paused, and why
      </BannerLink>
    </>
  );
}

/** Quotes Meta only with Meta's own text. */
function statusSource({ isOverridden, quote }: PlatformStatus): string | null {
  if (isOverridden === true) return ' · set by the SmartPause team';
  return quote === undefined ? null : ` · Meta says “${quote}”`;
}

/** Meta accepts our access again after a new login. */
function Reconnect() {
  return <OutsideLink href={loginAddress(useReturnTo())}>Reconnect to Meta</OutsideLink>;
}

/** How many campaigns resume where and when, and what delays it. A server of the specification sends no counts. */
function ScheduledResume({ user }: { user: UserStatus }) {
  const now = useNow();
  const hasActivity = useHasCapability('activity');
  const { resumeAt, heldCampaigns = 0, heldAccounts = [] } = user;
  const at = Date.parse(resumeAt ?? '');
  const hasHeld = heldCampaigns > 0 && heldAccounts.length > 0;
  const delays = delayCopy(heldAccounts);
  return (
    <Box ref={leaveFocusToList} style={{ overflowWrap: 'anywhere' }}>
      <span className="figures">
        Resume scheduled for <Time at={at}>{atTime(at, now)}</Time>
      </span>{' '}
      · {timeUntil(at, now)}
      {hasHeld && (
        <>
          {' · '}
          {scheduledCopy(heldCampaigns, heldAccounts)} <ShowThem user={user} />
          {hasActivity && (
            <>
              {' · '}
              <BannerLink to="/activity/latest">See what happened</BannerLink>
            </>
          )}
        </>
      )}
      {delays.length > 0 && (
        <Text inherit fw={600}>
          {delays.join(' ')} {heldAccounts.some(({ delayedBy }) => delayedBy === 'login') && <Reconnect />}
        </Text>
      )}
      {hasHeld && !heldAccounts.every(isDelayed) && <ResumeNowButton accounts={heldAccounts} />}
    </Box>
  );
}

const NOT_PROTECTED_COPY: Record<NotProtected, { verb: string; text: string }> = {
  unconfirmed: {
    verb: 'Confirm',
    text: 'Meta refuses our changes until you confirm your account in Ads Manager. Until then, SmartPause can’t pause or resume campaigns there. This notice disappears when Meta accepts a change again.',
  },
  role: {
    verb: 'Open',
    text: 'Your role on this account can’t pause campaigns. Ask an admin of the ad account for permission to manage campaigns.',
  },
  no_access: {
    verb: 'Open',
    text: 'Meta refuses SmartPause access to this ad account. Ask its owner to let you manage its ads. SmartPause keeps trying.',
  },
};

/** Meta refuses SmartPause itself, for all users. */
function SuspendedBanner() {
  const { data: user } = useUserStatus();
  if (user?.isSuspended !== true) return null;
  return (
    <Banner role="status" color="red" title={SUSPENDED}>
      We’re working on it. Until it’s back, SmartPause can’t pause or resume campaigns. You can do both in Ads
      Manager.
    </Banner>
  );
}

/** Ad accounts where Meta refuses to pause, one banner for each reason. */
function NotProtectedBanners() {
  const { data: accounts = [] } = useAdAccounts();
  // Without SmartPause a refused role or access prevents nothing there.
  const used = accounts.filter(
    ({ notProtected, protectedCampaigns }) => notProtected === 'unconfirmed' || protectedCampaigns !== 0,
  );
  const byReason = Map.groupBy(used, ({ notProtected }) => notProtected);
  return NOT_PROTECTED.map((reason) => (
    <NotProtectedBanner key={reason} {...NOT_PROTECTED_COPY[reason]} accounts={byReason.get(reason) ?? []} />
  ));
}

function NotProtectedBanner({ verb, text, accounts }: { verb: string; text: string; accounts: AdAccount[] }) {
  if (accounts.length === 0) return null;
  return (
    <Banner color="red" title={`Not protected: ${namesLabel(accounts)}`} style={{ overflowWrap: 'anywhere' }}>
      {text}
      {accounts.map(({ id, name }) => (
        <div key={id}>
          <OutsideLink href={adsManagerAddress(id)} target="_blank" rel="noreferrer">
            {verb} {name} in Ads Manager
          </OutsideLink>
        </div>
      ))}
    </Banner>
  );
}

function TrialBanner() {
  const { subscription, trialDaysRemaining, isTrialExpiringSoon } = useSubscription();
  if (!isTrialExpiringSoon || subscription === null || trialDaysRemaining === null) return null;
  const title = `Your trial ends soon: ${counted(trialDaysRemaining, 'day')} left`;
  return (
    <Banner color="yellow" title={title}>
      {afterTrialCopy(subscription)} <BannerLink to="/settings#billing">Go to Billing</BannerLink>
    </Banner>
  );
}

/** For a user without a subscription: which actions are left, and how to subscribe. */
export function LapsedBanners() {
  const { subscription, hasActiveSubscription } = useSubscription();
  const maySubscribe = checkoutState(subscription, hasActiveSubscription) === 'may_subscribe';
  return (
    <Stack gap="sm">
      <SuspendedBanner />
      <HeldNotice isOnDashboard />
      <NotProtectedBanners />
      <Banner color="blue" title="New outages won’t pause your campaigns">
        Without a subscription you can still turn SmartPause off for a campaign and resume it manually.{' '}
        <BannerLink to={maySubscribe ? '/payment' : '/settings#billing'}>
          {maySubscribe ? 'See plans' : 'Go to Billing'}
        </BannerLink>
      </Banner>
    </Stack>
  );
}

/** Campaigns may stay paused by SmartPause after a subscription ends. */
export function HeldNotice({ isOnDashboard = false }: { isOnDashboard?: boolean }) {
  const { data: user } = useUserStatus();
  const now = useNow();
  const count = user?.heldCampaigns ?? 0;
  if (count === 0) return null;
  const resumeAt = user?.resumeAt == null ? null : Date.parse(user.resumeAt);
  const { title, text } = lapsedCopy(count, resumeAt, now);
  return (
    <Banner role="status" color="orange" title={title}>
      {text}{' '}
      {!isOnDashboard && (
        <BannerLink to={CAMPAIGNS_WITHOUT_ACCESS}>See them, or resume them yourself</BannerLink>
      )}
    </Banner>
  );
}
