import { Anchor, Box, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { memo, useState } from 'react';
import type { Campaign, PlatformStatus } from '#contract/shapes.ts';
import { checkoutState } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { BannerLink, LinkButton } from '../../components/links.ts';
import { Time } from '../../components/time.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { campaignsQuery, useAdAccounts } from '../../lib/queries.ts';
import { atTime } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import classes from '../banners/banner-card.module.css';
import type { Look } from '../banners/banner-card.tsx';
import { BannerCard, LoginButton } from '../banners/banner-card.tsx';
import type { Act, Banner } from '../banners/banner.ts';
import { cardsOf } from '../banners/banner.ts';
import { useDismiss, usePageFacts } from '../banners/use-page-facts.ts';
import { useCampaignLists } from '../campaigns/api.ts';
import type { DashboardFacts } from '../campaigns/dashboard-facts.ts';
import { refusingToRead } from '../campaigns/dashboard-facts.ts';
import { SendLinkButton } from '../email/unreached.tsx';
import { ResumeNowButton, TurnOnAllButton } from '../changes/all-accounts-buttons.tsx';
import { PauseAllButton, ResumeAllButton } from '../changes/pause-all.tsx';
import { useRetry } from '../changes/use-retry.ts';
import { ChooseCampaigns, ShowThem } from '../list/list-links.tsx';
import { NotLoaded } from '../list/notices.tsx';
import { usePlatformStatus, useUserStatus } from '../status/api.ts';
import { QuietStatus, StatusTimes } from '../status/status-times.tsx';
import { BILLING_SETTINGS, afterTrialCopy } from '../subscription/plan-copy.ts';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { TryButtons } from '../try/try-buttons.tsx';
import { bannersOf } from './banner-list.ts';
import { Steps, useMayTest, useSetup } from './checklist.tsx';
import { useKnownLists } from './known-lists.ts';

/** The answer of the page and what else matters now, in the order of `bannersOf`. */
export const Banners = memo(function Banners() {
  const { status, isUnreachable } = useLastStatus();
  const query = useUserStatus();
  const { setup, dismissSetup } = useSetup();
  const facts = useFacts(status, setup);
  const dismiss = useDismiss();
  const isDisrupted = status !== null && status.status !== 'UP';
  const hasNoSettings = query.data === undefined;
  useReadOthers(facts);
  const draw = (banner: Banner, look: Look, main: Banner | undefined) => (
    // The notice above every page says that our server is unreachable: what depends on it keeps its space.
    <Box key={keyOf(banner)} {...(isUnreachable && isOfStatus(banner) && HIDDEN)}>
      <DashboardBanner
        {...{ banner, look, facts }}
        isMain={banner === main}
        onDismiss={banner.kind === 'setup' ? dismissSetup : dismiss}
      />
    </Box>
  );
  return (
    <Stack gap="sm">
      {hasNoSettings && !hasFailed(query) && <Skeleton h={84} data-testid="banner-placeholder" />}
      {hasNoSettings && hasFailed(query) && isDisrupted && (
        <NotLoaded text="Meta has a disruption, but your settings couldn’t be loaded." query={query} />
      )}
      {cardsOf(bannersOf(facts)).map(({ lead, notes }) => {
        const hasButton = (banner: Banner) =>
          banner.acts.some((act) => isButton(act, banner === lead ? 'card' : 'strip'));
        const main = [lead, ...notes].find(hasButton);
        return (
          <div key={lead.kind} className={classes.frame}>
            {draw(lead, 'card', main)}
            {notes.map((note) => draw(note, 'strip', main))}
          </div>
        );
      })}
    </Stack>
  );
});

const HIDDEN = { style: { visibility: 'hidden' } } as const;

function keyOf({ kind, title }: Banner): string {
  return kind === 'not_protected' ? `${kind} ${title ?? ''}` : kind;
}

function isOfStatus({ kind }: Banner): boolean {
  return kind === 'outage' || kind === 'early_warning' || kind === 'status' || kind === 'protection';
}

function useFacts(status: PlatformStatus | null, setup: DashboardFacts['setup']): DashboardFacts {
  const { subscription, hasActiveSubscription, trialDaysRemaining, ...plan } = useSubscription();
  const maySubscribe = checkoutState(subscription, hasActiveSubscription) === 'may_subscribe';
  const { data: user } = useUserStatus();
  const accountsQuery = useAdAccounts();
  const { data: accounts } = accountsQuery;
  return {
    ...usePageFacts(),
    ...{ status, user, setup, accounts: accounts ?? [] },
    now: useNow(),
    lists: useKnownLists(accounts, user) ?? (hasFailed(accountsQuery) ? NO_LISTS : null),
    isSetUp: useUser().isInitialized,
    hasActivity: useHasCapability('activity'),
    hasPauseAll: useHasCapability('pause_all'),
    plansAt: hasActiveSubscription ? null : maySubscribe ? '/payment' : BILLING_SETTINGS,
    isTrialAvailable: plan.isTrialAvailable,
    trial:
      plan.isTrialExpiringSoon && subscription !== null && trialDaysRemaining !== null
        ? { days: trialDaysRemaining, text: afterTrialCopy(subscription) }
        : null,
  };
}

const NO_LISTS = [{ id: '', state: 'failed', campaigns: [] }] as const;

/**
 * The campaigns of ad accounts without a current list count, too: a few lists at a time. Of an account that is not
 * shown, only this tells what Meta refuses there, and that it accepts a resume.
 */
function useReadOthers(facts: DashboardFacts): void {
  const { user, accounts } = facts;
  const isRefused = (id: string) => accounts.some((one) => one.id === id && one.notProtected === 'no_access');
  const unread = user?.coverage?.filter(({ id, isUnread }) => isUnread && !isRefused(id)) ?? [];
  useQueries({ queries: unread.slice(0, 4).map(({ id }) => campaignsQuery(id)) });
  useCampaignLists(refusingToRead(facts).map((id) => ({ id })));
}

/** The status, or the last one while our server is unreachable. */
function useLastStatus() {
  const now = usePlatformStatus();
  const isUnreachable = now?.isUnreachable === true;
  const [last, setLast] = useState<PlatformStatus | null>(null);
  if (!isUnreachable && now !== last) setLast(now);
  return { status: isUnreachable ? last : now, isUnreachable };
}

interface DashboardBannerProps {
  banner: Banner;
  look: Look;
  facts: DashboardFacts;
  /** The first one of its frame with a button, which is filled. */
  isMain: boolean;
  onDismiss: () => void;
}

function DashboardBanner(props: DashboardBannerProps) {
  const { banner, look, isMain, onDismiss } = props;
  const { status, user, now, setup } = props.facts;
  const { acts, times, headline, title, resumeAt, steps } = banner;
  const isCard = look === 'card';
  // A phone has no room for the button above the list.
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const hasTestLink = useMayTest() && isPhone && isCard && setup === null;
  if (isCard && headline === undefined && title === undefined)
    return times && <QuietStatus status={status} />;
  const areButtons = (act: Act) => isButton(act, look);
  return (
    <BannerCard
      {...{ banner, look }}
      before={resumeAt !== undefined && <ResumeTime at={resumeAt} now={now} />}
      links={acts.filter((act) => !areButtons(act)).map((act) => drawAct(act, user, look))}
      buttons={acts.filter(areButtons).map((act, index) => drawAct(act, user, look, isMain && index === 0))}
      times={
        <>
          {steps && <Steps {...steps} />}
          {times === 'up' && (
            <QuietStatus
              status={isCard || status === null ? status : { ...status, since: null }}
              after={hasTestLink && <BannerLink to="/settings#try-it">Run a test</BannerLink>}
            />
          )}
          {times !== undefined && times !== 'up' && status !== null && (
            <DisruptedTimes {...{ status, times }} />
          )}
        </>
      }
      {...(banner.isDismissible && { onDismiss })}
    />
  );
}

function isButton(act: Act, look: Look): boolean {
  if (act.act === 'visit') return act.isButton === true;
  return act.act !== 'show_held' && (act.act !== 'leave' || look === 'card');
}

function drawAct(act: Act, user: DashboardFacts['user'], look: Look, isFilled = false) {
  const variant = isFilled ? 'filled' : 'default';
  switch (act.act) {
    case 'protect_all':
      return <TurnOnAllButton variant={variant}>{act.label}</TurnOnAllButton>;
    case 'choose':
      return <ChooseCampaigns />;
    case 'pause_all':
      return <PauseAllButton variant={variant} />;
    case 'change_end':
      return <PauseAllButton isOn />;
    case 'resume_all':
      return <ResumeAllButton variant={variant} />;
    case 'try':
      return <TryButtons isSubtle />;
    case 'retry':
      return (
        <RetryOfBanner campaign={act.campaign} variant={variant}>
          {act.label ?? 'Retry now'}
        </RetryOfBanner>
      );
    case 'resume_now':
      return <ResumeNowButton accounts={act.accounts} />;
    case 'log_in':
      return <LoginButton label={act.label} />;
    case 'send_link':
      return <SendLinkButton label={act.label} />;
    case 'show_held':
      return <ShowThem user={user} />;
    case 'visit':
      return act.isButton ? (
        <LinkButton to={act.to} size="sm" variant={variant}>
          {act.label}
        </LinkButton>
      ) : (
        <BannerLink to={act.to} display="inline-block">
          {act.label}
        </BannerLink>
      );
    case 'leave':
      return look === 'card' ? (
        <Button component="a" href={act.href} target="_blank" rel="noreferrer" size="sm" variant={variant}>
          {act.label}
        </Button>
      ) : (
        <Anchor href={act.href} target="_blank" rel="noreferrer" {...OUTSIDE}>
          {act.label}
        </Anchor>
      );
  }
}

const OUTSIDE = { inherit: true, c: 'inherit', fw: 600, underline: 'always' } as const;

function ResumeTime({ at, now }: { at: Instant; now: Instant }) {
  return (
    <span className="figures">
      Resume scheduled for <Time at={at}>{atTime(at, now)}</Time>.
    </span>
  );
}

function DisruptedTimes({ status, times }: Pick<Banner, 'times'> & { status: PlatformStatus }) {
  return (
    <Text component="div" fz={12} className="figures">
      <StatusTimes
        status={times === 'disrupted' ? status : { ...status, since: null }}
        after={statusSource(status)}
      />
    </Text>
  );
}

/** Quotes Meta only with Meta's own text. */
function statusSource({ status, isOverridden, quote }: PlatformStatus): string | null {
  if (isOverridden === true) return 'set by the SmartPause team';
  // A headline says that it is low.
  return quote === undefined || status === 'LOW_DISRUPTION' ? null : `Meta says “${quote}”`;
}

interface RetryOfBannerProps {
  campaign: Campaign;
  variant: 'filled' | 'default';
  children: string;
}

/** For all refused campaigns of an ad account. */
function RetryOfBanner({ campaign, variant, children }: RetryOfBannerProps) {
  const { mutate, isPending } = useRetry(campaign);
  return (
    <BusyButton size="sm" variant={variant} isBusy={isPending} onClick={mutate}>
      {children}
    </BusyButton>
  );
}
