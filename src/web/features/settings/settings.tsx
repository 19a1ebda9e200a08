import { Box, Container, Stack, Text } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
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
import type { Draft } from '../replay/what-if.tsx';
import { WhatIf } from '../replay/what-if.tsx';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { TryIt } from '../try/try-buttons.tsx';
import { useSavedSettings } from './api.ts';
import { SettingsForm } from './settings-form.tsx';
import classes from './settings.module.css';

/** In the order of the page; the last label is that of a phone. */
const SECTIONS = [
  ['smartpause-settings', 'SmartPause', 'SmartPause'],
  ['what-if', 'Past outages', 'Outages'],
  ['billing', 'Billing', 'Billing'],
  ['sessions', 'Sessions', 'Sessions'],
  ['danger-zone', 'Danger Zone', 'Danger'],
] as const;

/** A section that begins above this line is the one in view. */
const NEAR_TOP_PX = 96;

export function Settings() {
  const { hasActiveSubscription, isLoading } = useSubscription();
  const hasReplay = useHasCapability('replay');
  const hasSessions = useHasCapability('sessions');
  const [draft, setDraft] = useState<Draft>();
  useReturnFromPortal();
  useScrollToFragment(useLocation().hash, !isLoading);
  // The content depends on the subscription, so it waits to avoid a jump.
  if (isLoading) return <PagePlaceholder />;
  const shown = {
    'smartpause-settings': hasActiveSubscription,
    'what-if': hasActiveSubscription && hasReplay,
    billing: true,
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
        {shown['smartpause-settings'] && <SmartPauseSettings onDraft={setDraft} />}
        {shown['what-if'] && <WhatIf draft={draft} />}
        <Billing />
        {shown.sessions && <Sessions />}
        <DangerZone />
      </Stack>
    </Container>
  );
}

/** The sections, with a mark at the one in view. */
function Contents({ shown }: { shown: readonly (typeof SECTIONS)[number][] }) {
  const { hash } = useLocation();
  const ids = shown.map(([id]) => id);
  const current = useSyncExternalStore(onScroll, () => sectionInView(ids, hash));
  return (
    <Box component="nav" aria-label="Settings">
      {shown.map(([id, label, short]) => (
        <Link key={id} to={`#${id}`} {...(id === current && { 'aria-current': 'location' })}>
          <Box component="span" visibleFrom="md">
            {label}
          </Box>
          <Box component="span" hiddenFrom="md">
            {short}
          </Box>
        </Link>
      ))}
    </Box>
  );
}

function onScroll(act: () => void): () => void {
  const aborted = new AbortController();
  for (const event of ['scroll', 'resize']) window.addEventListener(event, act, { signal: aborted.signal });
  return () => aborted.abort();
}

function sectionInView(ids: readonly string[], hash: string): string | undefined {
  const { scrollY, innerHeight } = window;
  const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;
  if (scrollY + innerHeight < document.documentElement.scrollHeight - 1)
    return ids.findLast((id) => topOf(id) <= NEAR_TOP_PX) ?? ids[0];
  // At the end of the page no further section reaches the line, not even the one that was chosen.
  return ids.find((id) => `#${id}` === hash && topOf(id) >= 0) ?? ids.at(scrollY === 0 ? 0 : -1);
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

function SmartPauseSettings({ onDraft }: { onDraft: (draft: Draft) => void }) {
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
            <Text span inherit c="var(--status-medium)" fw={600}>
              Nothing is protected yet.
            </Text>{' '}
            <TextLink to={next.to} style={{ whiteSpace: 'nowrap' }}>
              {next.label}
            </TextLink>
          </>
        )}
      </Muted>
      <QueryContent
        query={query}
        data={saved}
        failure="Your settings couldn’t be loaded."
        heights={[80, 116, 290, 72, 36, 96]}
      >
        {(settings) => (
          <>
            <SettingsForm saved={settings} onDraft={onDraft} />
            {isInitialized && hasTest && <TryIt />}
          </>
        )}
      </QueryContent>
    </SectionCard>
  );
}
