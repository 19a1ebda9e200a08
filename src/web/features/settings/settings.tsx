import { Box, Container, Stack } from '@mantine/core';
import { useScrollSpy } from '@mantine/hooks';
import { useEffect } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { useScrollToFragment } from '../../lib/use-scroll-to-fragment.ts';
import { DangerZone } from '../account/danger-zone.tsx';
import { Sessions } from '../account/sessions.tsx';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { Billing } from '../billing/billing-section.tsx';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { TryIt } from '../try/try-buttons.tsx';
import { useSavedSettings } from './api.ts';
import classes from './settings.module.css';
import { SettingsForm } from './settings-form.tsx';
import { WhatIf } from './what-if.tsx';

const SECTIONS = [
  ['smartpause-settings', 'SmartPause'],
  ['billing', 'Billing'],
  ['what-if', 'Past outages'],
  ['sessions', 'Sessions'],
  ['danger-zone', 'Danger Zone'],
] as const;

/** A section that begins there is the one in view. */
const NEAR_TOP_PX = 300;

export function Settings() {
  const { hasActiveSubscription, isLoading } = useSubscription();
  const hasReplay = useHasCapability('replay');
  const hasSessions = useHasCapability('sessions');
  useReturnFromPortal();
  useScrollToFragment(useLocation().hash, !isLoading);
  // The content depends on the subscription, so it waits to avoid a jump.
  if (isLoading) return <PagePlaceholder />;
  const shown = {
    'smartpause-settings': hasActiveSubscription,
    billing: true,
    'what-if': hasActiveSubscription && hasReplay,
    sessions: hasSessions,
    'danger-zone': true,
  };
  return (
    <Container size="lg" py={{ base: 'md', sm: 'xl' }} className={classes.page}>
      <div className={classes.contents}>
        <PageHeading fz={26}>Settings</PageHeading>
        <Contents shown={SECTIONS.filter(([id]) => shown[id])} />
      </div>
      <Stack gap="lg">
        {shown['smartpause-settings'] && <SmartPauseSettings />}
        <Billing />
        {shown['what-if'] && <WhatIf />}
        {shown.sessions && <Sessions />}
        <DangerZone />
      </Stack>
    </Container>
  );
}

/** The sections, with a mark at the one in view. */
function Contents({ shown }: { shown: readonly (readonly [id: string, label: string])[] }) {
  const selector = shown.map(([id]) => `#${id}`).join(', ');
  const { active, data } = useScrollSpy({ selector, offset: NEAR_TOP_PX });
  return (
    <Box component="nav" aria-label="Settings">
      {shown.map(([id, label]) => (
        <Link key={id} to={`#${id}`} {...(data[active]?.id === id && { 'aria-current': 'location' })}>
          {label}
        </Link>
      ))}
    </Box>
  );
}

/** On return from the portal the subscription is read from the payment provider: its webhook may be late. */
function useReturnFromPortal(): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { refreshSubscription } = useSubscription();
  const isFromPortal = params.get('from') === 'billing';
  useEffect(() => {
    if (!isFromPortal) return;
    void navigate('#billing', { replace: true });
    refreshSubscription().catch(() => undefined);
  }, [isFromPortal, navigate, refreshSubscription]);
}

function SmartPauseSettings() {
  const { isInitialized } = useUser();
  const hasTest = useHasCapability('test_run');
  const { query, saved } = useSavedSettings();
  const hasChosen = query.data?.hasChosenCampaigns !== false;
  const choose = hasChosen ? null : { to: '/', label: 'Choose your campaigns' };
  const next = isInitialized ? choose : { to: '/setup', label: 'Set up in three steps' };
  return (
    <SectionCard id="smartpause-settings" title="SmartPause Settings">
      <Muted mb="lg">
        {next === null ? (
          'When to pause, when to resume, and where we email you.'
        ) : (
          <>
            Nothing is protected yet. <TextLink to={next.to}>{next.label}</TextLink>
          </>
        )}
      </Muted>
      <QueryContent
        query={query}
        data={saved}
        failure="Your settings couldn’t be loaded."
        heights={[80, 116, 290, 36]}
      >
        {(settings) => (
          <>
            <SettingsForm saved={settings} />
            {isInitialized && hasTest && <TryIt />}
          </>
        )}
      </QueryContent>
    </SectionCard>
  );
}
