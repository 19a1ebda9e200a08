import { Box, Container, Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { memo } from 'react';
import { LinkButton } from '../../components/links.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { Stale } from '../../components/stale.tsx';
import { LIST_ID } from '../../lib/focus-list.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { useAdAccounts } from '../../lib/queries.ts';
import { Why } from '../activity/why.tsx';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { ALL, useChosenAccount } from '../campaigns/list-address.ts';
import { ChangeProvider } from '../changes/change-provider.tsx';
import { PauseAllButton } from '../changes/pause-all.tsx';
import { CampaignList } from '../list/campaign-list.tsx';
import { NotLoaded } from '../list/notices.tsx';
import { useUserStatus } from '../status/api.ts';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { AccountColumn, AccountPlaceholders, AccountSelect } from './account-picker.tsx';
import { Banners } from './banners.tsx';
import { useMayTest } from './checklist.tsx';
import classes from './dashboard.module.css';
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
          {/* The heading is hidden on a phone. No row moves when the button comes. */}
          <Box hiddenFrom="sm" mih={36}>
            <PauseAll />
          </Box>
          {isInitialized && hasActivity && <LastOutage />}
          <Group className={classes.heading ?? ''} justify="space-between" gap="xs">
            <PageHeading fz={20}>Campaigns</PageHeading>
            <Group gap="xs">
              {useMayTest() && (
                <LinkButton to="/settings#try-it" size="sm" variant="default" visibleFrom="sm">
                  Run a test
                </LinkButton>
              )}
              <Box visibleFrom="sm">
                <PauseAll />
              </Box>
            </Group>
          </Group>
          <StaleCounts />
          <Accounts isDisabled={!isInitialized} />
        </Stack>
        <Why />
      </Container>
    </ChangeProvider>
  );
}

/** Once it is on, the banner has its buttons. */
function PauseAll() {
  const isSupported = useHasCapability('pause_all');
  const { isInitialized } = useUser();
  const { hasActiveSubscription } = useSubscription();
  const { data: user } = useUserStatus();
  if (!isSupported || !isInitialized || !hasActiveSubscription || user?.pausedAll !== undefined) return null;
  // First there must be something to pause, or to keep paused.
  const { coverage, heldCampaigns = 0 } = user ?? {};
  const mayPause = coverage?.some((one) => one.protected.count > 0 || one.isUnread === true) ?? true;
  return user !== undefined && (mayPause || heldCampaigns > 0) ? <PauseAllButton /> : null;
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
