import { Alert } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useOutages } from '../activity/api.ts';
import { LIST_ID } from '../../lib/focus-list.ts';
import { lasting } from '../../lib/storage.ts';
import { BannerLink } from '../../components/links.ts';
import { useNow } from '../../lib/use-now.ts';
import { isToldOnDashboard, lastOutageCopy } from './last-outage-copy.ts';

/** The id of the last outage that the user dismissed in this browser. */
const KEY = 'dismissedOutage';

/** What the last outage meant for the user, for seven days. */
export function LastOutage() {
  const { data } = useOutages();
  const now = useNow();
  const [dismissed, setDismissed] = useState(() => lasting.read(KEY));
  const outage = data?.pages[0]?.outages[0];
  const isDue = outage !== undefined && outage.id !== dismissed && isToldOnDashboard(outage, now);
  const mayAppear = useMayAppear(isDue);
  if (!isDue || !mayAppear) return null;
  return (
    <Alert
      role="note"
      color="gray"
      title="Last outage"
      withCloseButton
      closeButtonLabel="Hide last outage"
      onClose={() => {
        lasting.write(KEY, outage.id);
        setDismissed(outage.id);
        document.getElementById(LIST_ID)?.focus({ preventScroll: true });
      }}
    >
      {lastOutageCopy(outage, now)}{' '}
      <BannerLink to={`/activity/${outage.id}`} style={{ whiteSpace: 'nowrap' }}>
        See what happened
      </BannerLink>
    </Alert>
  );
}

const IN_USE = `#${LIST_ID}:is(:hover, :focus-within)`;

/** It pushes the list down, so it waits until neither pointer nor focus is in the list (UX-04). */
function useMayAppear(isDue: boolean): boolean {
  const [mayAppear, setMayAppear] = useState(false);
  useEffect(() => {
    if (!isDue || mayAppear) return;
    const look = () => setMayAppear(document.querySelector(IN_USE) === null);
    const events = ['pointermove', 'focusin', 'focusout'] as const;
    look();
    for (const event of events) document.addEventListener(event, look, { passive: true });
    return () => {
      for (const event of events) document.removeEventListener(event, look);
    };
  }, [isDue, mayAppear]);
  return mayAppear;
}
