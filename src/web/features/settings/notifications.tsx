import { List } from '@mantine/core';
import { CHOICES, DESTINATION_EVENTS, NOTIFICATIONS, possibleEvents } from '#core/destination-events.ts';
import type { NotificationKind } from '#core/notifications.ts';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { useSavedSettings } from './api.ts';
import { Destinations } from './destinations.tsx';
import { SettingsForm } from './settings-form.tsx';

/** Of a refused address only the former one and the other channels hear; the summary can be turned off. */
const EMAILS = Object.entries(NOTIFICATIONS).filter(
  ([kind]) => kind !== 'address_refused' && kind !== 'monthly_summary',
);

/** Where else a notification goes: the choices of a channel, each channel, or none. */
function choicesCopy(kind: NotificationKind): string {
  const events = possibleEvents(kind);
  const labels = DESTINATION_EVENTS.filter((one) => events.includes(one)).map((one) => CHOICES[one].label);
  return labels.join(' · ') || (events.length > 0 ? 'Every channel' : 'Email only');
}

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
            {(settings) => <SettingsForm saved={settings} only="notifications" />}
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
        <Muted mb="sm">
          We always email you when one of these happens.
          {hasDestinations && ' Below each is the event that also sends it to a channel.'}
        </Muted>
        <List fz="sm" spacing={6}>
          {EMAILS.map(
            ([kind, { when }]) =>
              (hasDestinations || kind !== 'destination_disabled') && (
                <List.Item key={kind}>
                  {when}
                  {hasDestinations && <Muted fz={13}>{choicesCopy(kind as NotificationKind)}</Muted>}
                </List.Item>
              ),
          )}
        </List>
      </SectionCard>
    </>
  );
}
