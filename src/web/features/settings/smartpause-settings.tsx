import { Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { useScrollToFragment } from '../../lib/use-scroll-to-fragment.ts';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import type { Draft } from '../replay/what-if.tsx';
import { WhatIf } from '../replay/what-if.tsx';
import { TryIt } from '../try/try-buttons.tsx';
import { useSavedSettings } from './api.ts';
import { SettingsForm } from './settings-form.tsx';

/** When SmartPause acts: the whole setup, ways to try it, and past outages. */
export function SmartPauseSettings() {
  const { isInitialized } = useUser();
  const hasTest = useHasCapability('test_run');
  const hasReplay = useHasCapability('replay');
  const [draft, setDraft] = useState<Draft>();
  const { query, saved } = useSavedSettings();
  useScrollToFragment(useLocation().hash, saved !== undefined);
  const hasChosen = query.data?.hasChosenCampaigns !== false;
  const choose = hasChosen ? null : { to: '/', label: 'Choose your campaigns' };
  const next = isInitialized ? choose : { to: '/setup', label: 'Set up in three steps' };
  return (
    <>
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
          heights={[80, 116, 290, 230, 72, 36, 96]}
        >
          {(settings) => (
            <>
              <SettingsForm saved={settings} onDraft={setDraft} />
              {isInitialized && hasTest && <TryIt />}
            </>
          )}
        </QueryContent>
      </SectionCard>
      {hasReplay && <WhatIf draft={draft} />}
    </>
  );
}
