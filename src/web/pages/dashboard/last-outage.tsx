import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useOutages } from '../../api/outage-queries.ts';
import { lasting } from '../../browser/storage.ts';
import { BannerLink } from '../../components/links.ts';
import { useNow } from '../../hooks/use-now.ts';
import { isToldOnDashboard, lastOutageCopy } from './last-outage-copy.ts';

/** The id of the last outage that the user dismissed in this browser. */
const KEY = 'dismissedOutage';

/** What the last outage meant for the user, for seven days. */
export function LastOutage() {
  const { data } = useOutages();
  const now = useNow();
  const [dismissed, setDismissed] = useState(() => lasting.read(KEY));
  const outage = data?.pages[0]?.outages[0];
  if (outage === undefined || outage.id === dismissed || !isToldOnDashboard(outage, now)) return null;
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
      }}
    >
      {lastOutageCopy(outage, now)}{' '}
      <BannerLink to={`/activity/${outage.id}`} style={{ whiteSpace: 'nowrap' }}>
        See what happened
      </BannerLink>
    </Alert>
  );
}
