import { Box, Container, Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { memo, useEffect, useState } from 'react';
import { LinkButton } from '../../components/links.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { Stale } from '../../components/stale.tsx';
import { LIST_ID } from '../../lib/focus-list.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { notifyFailure } from '../../lib/notify.tsx';
import { useAdAccounts } from '../../lib/queries.ts';
import { useWhy } from '../activity/use-why.ts';
import type { Why } from '../activity/why.tsx';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { mayPauseAll } from '../campaigns/dashboard-facts.ts';
import { ALL, useChosenAccount } from '../campaigns/list-address.ts';
import { ChangeProvider } from '../changes/change-provider.tsx';
import { PauseAllButton } from '../changes/pause-all.tsx';
import { CampaignList } from '../list/campaign-list.tsx';
import { NotLoaded } from '../list/notices.tsx';
import { usePlatformLevel, useUserStatus } from '../status/api.ts';
import { BILLING_SETTINGS } from '../subscription/plan-copy.ts';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { AccountColumn, AccountPlaceholders, AccountSelect } from './account-picker.tsx';
import { Banners } from './banners.tsx';
import { useMayTest } from './checklist.tsx';
import classes from './dashboard.module.css';
import { offersPauseAll } from './early-warning-banner.ts';
import { LastOutage } from './last-outage.tsx';

/** Without a subscription SmartPause can be turned off and campaigns resumed, no more. Each part is drawn on its own. */
export function Dashboard() {
  const { isInitialized } = useUser();
  const hasActivity = useHasCapability('activity');
  return (
    <ChangeProvider>
      <Container size="lg" py={{ base: 'md', sm: 'xl' }}>
        <Stack gap="lg">
          <Banners />
          <PauseAllOnPhone />
          {isInitialized && hasActivity && <LastOutage />}
          <Group className={classes.heading ?? ''} justify="space-between" gap="xs">
            <PageHeading fz={20}>Campaigns</PageHeading>
            <Group gap="xs">
              {useMayTest() && (
                <LinkButton to="/settings#try-it" size="sm" variant="default" visibleFrom="sm">
                  Run a test
                </LinkButton>
              )}
              <PauseAllInHeading />
            </Group>
          </Group>
          <StaleCounts />
          <Accounts isDisabled={!isInitialized} />
        </Stack>
        <WhyOnceAsked />
      </Container>
    </ChangeProvider>
  );
}

/** With the first question: many visits have none. */
function WhyOnceAsked() {
  const isAsked = useWhy()[0] !== null;
  const [drawer, setDrawer] = useState<{ Why: typeof Why } | null>(null);
  useEffect(() => {
    if (!isAsked) return;
    import('../activity/why.tsx').then(
      (loaded) => setDrawer({ Why: loaded.Why }),
      () => notifyFailure('The history couldn’t be opened', 'Reload the page and try again.'),
    );
  }, [isAsked]);
  return drawer !== null && <drawer.Why />;
}

/** Whether 'Pause all now' is above the list, and has a place there: not beside that of an early warning's banner. */
function usePauseAll() {
  const { hasActiveSubscription } = useSubscription();
  const facts = {
    hasPauseAll: useHasCapability('pause_all'),
    isSetUp: useUser().isInitialized,
    plansAt: hasActiveSubscription ? null : BILLING_SETTINGS,
    user: useUserStatus().data,
    status: usePlatformLevel(),
  };
  const hasPlace = facts.hasPauseAll && facts.isSetUp && hasActiveSubscription && !offersPauseAll(facts);
  return { hasPlace, isOffered: hasPlace && mayPauseAll(facts) };
}

function PauseAllInHeading() {
  return (
    <Box visibleFrom="sm">
      <PauseAllButton isOffered={usePauseAll().isOffered} />
    </Box>
  );
}

/** The heading is hidden on a phone. No row moves when the button comes. */
function PauseAllOnPhone() {
  const { hasPlace, isOffered } = usePauseAll();
  return (
    <Box hiddenFrom="sm" mih={36} {...(!hasPlace && { style: { display: 'none' } })}>
      <PauseAllButton isOffered={isOffered} />
    </Box>
  );
}

function StaleCounts() {
  return <Stale queries={[useUserStatus(), useAdAccounts()]} what="the counts" />;
}

/** The ad accounts beside the campaigns, or a select above them in a narrow window. One account needs no choice. */
const Accounts = memo(function Accounts({ isDisabled }: { isDisabled: boolean }) {
  const query = useAdAccounts();
  const { data: accounts } = query;
  const [selectedId, choose] = useChosenAccount(accounts);
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  if (hasFailed(query) && accounts === undefined)
    return <NotLoaded text="Your ad accounts couldn’t be loaded." query={query} />;
  const picker =
    accounts === undefined || accounts.length < 2
      ? null
      : { accounts: [ALL, ...accounts], selectedId, disabled: isDisabled, onSelect: choose };
  const shown = accounts?.filter(({ id }) => selectedId === ALL.id || id === selectedId);
  return (
    <div className={classes.columns}>
      {isWide && accounts === undefined && <AccountPlaceholders />}
      {isWide && picker !== null && <AccountColumn {...picker} />}
      <div id={LIST_ID} tabIndex={-1}>
        <CampaignList
          accounts={shown ?? []}
          isLoading={accounts === undefined}
          picker={isWide || picker === null ? null : <AccountSelect {...picker} />}
        />
      </div>
    </div>
  );
});
