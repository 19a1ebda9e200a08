import { List } from '@mantine/core';
import type { NotificationKind } from '#core/notifications.ts';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { useSavedSettings } from './api.ts';
import { Destinations } from './destinations.tsx';
import { SettingsForm } from './settings-form.tsx';

/** When we send each email. Of a refused address only the other channels hear. */
const WHEN: Record<Exclude<NotificationKind, 'address_refused'>, string> = {
  paused: 'SmartPause pauses campaigns, or Meta refuses the pause.',
  resumed: 'SmartPause resumes campaigns, or can’t resume one.',
  disabled: 'A change outside SmartPause turns SmartPause off for a campaign.',
  live_test: 'A live test ends.',
  unknown: 'Meta’s status has been unknown for an hour while campaigns are paused.',
  reminder: 'Campaigns have been paused for 6 hours, then daily.',
  account_lost: 'We lose access to an ad account with paused campaigns.',
  account_blocked: 'Meta refuses our changes until you confirm an ad account.',
  destination_disabled: 'One of your channels accepts no messages any more.',
  token_stale: 'Your Meta connection is about to expire.',
  token_expired: 'Your Meta connection has expired, or Meta no longer accepts it.',
  deauthorized: 'Our access to your ad accounts is revoked.',
  deleted: 'Your account is deleted.',
};

/** Where we send which messages. */
export function Notifications() {
  const { isInitialized } = useUser();
  const { query, saved } = useSavedSettings();
  const hasDestinations = useHasCapability('destinations');
  return (
    <>
      <SectionCard id="reach" title="Where we reach you">
        {isInitialized ? (
          <QueryContent
            query={query}
            data={saved}
            failure="Your email address couldn’t be loaded."
            heights={[80, 36]}
          >
            {(settings) => <SettingsForm saved={settings} only="email" />}
          </QueryContent>
        ) : (
          <Muted>
            We need your email address before SmartPause can protect campaigns.{' '}
            <TextLink to="/settings">Complete your setup</TextLink>
          </Muted>
        )}
      </SectionCard>
      {isInitialized && hasDestinations && <Destinations />}
      <SectionCard id="what-we-send" title="What we send">
        <Muted mb="sm">These emails can’t be turned off. You get one when:</Muted>
        <List fz="sm" spacing={6}>
          {Object.entries(WHEN).map(
            ([kind, when]) =>
              (hasDestinations || kind !== 'destination_disabled') && (
                <List.Item key={kind}>{when}</List.Item>
              ),
          )}
        </List>
      </SectionCard>
    </>
  );
}
